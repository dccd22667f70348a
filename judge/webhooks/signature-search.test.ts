import { expect, test } from 'vitest';
import { arrivalOf } from './arrival.ts';
import { searchSignatures } from './signature-search.ts';
import { delivery } from './testing/deliveries.ts';

test('without a secret nothing is looked for: no signature is one that no computation gives', () => {
  const search = searchSignatures([]);
  const arrival = arrivalOf(delivery(0, '{}'));
  if (arrival !== null) search.add(arrival);
  expect([search.total(), search.unknown(), search.counts()]).toEqual([1, [], null]);
});
