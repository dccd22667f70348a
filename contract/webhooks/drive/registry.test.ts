import { expect, test } from 'vitest';
import { awaitedIn, deliveriesOf } from './case.ts';
import { sixOrders } from './cases/repeated.ts';
import { driveCases, findDriveCase } from './registry.ts';

test('ids never change: reports and baselines refer to them', () => {
  expect(driveCases.map(({ id }) => id)).toEqual([
    ...['received', 'sent', 'delivered', 'read', 'failed'].map((name) => `valid.${name}`),
    'forged.no-signature',
    'forged.empty-signature',
    'forged.wrong-secret',
    'forged.empty-secret',
    'forged.flipped-bit',
    'forged.altered-body',
    'forged.reserialised',
    'forged.sha1',
    'forged.other-prefix',
    'forged.no-prefix',
    'forged.truncated',
    'forged.extended',
    'forged.non-hex',
    'forged.doubled-header',
    'allowed.header-case',
    'allowed.header-padding',
    'allowed.unescaped',
    'allowed.escaped',
    'allowed.white-space',
    'allowed.chunked',
    'allowed.large',
    'tolerated.simulated',
    'tolerated.extra-fields',
    'tolerated.unknown-event',
    'tolerated.other-type',
    'repeated.in-turn',
    'repeated.at-once',
    'repeated.any-order',
    'secrets.rotation',
    'effect.once-in-turn',
    'effect.once-at-once',
    'effect.any-order',
    'effect.forged',
    'connection.cut-off',
    'connection.reused',
    'connection.held',
    'burst.answers',
  ]);
});

test('a case comes after those that it rests on', () => {
  for (const [at, { id, dependsOn }] of driveCases.entries()) {
    const before = driveCases.slice(0, at).map((one) => one.id);
    expect(before, id).toEqual(expect.arrayContaining([...dependsOn]));
  }
});

test('deliveries of a case have names of their own', () => {
  for (const one of driveCases) {
    const names = deliveriesOf(one).map(({ name }) => name);
    expect(new Set(names).size, one.id).toBe(names.length);
  }
});

test('effects are asked about messages that were sent', () => {
  for (const one of driveCases) {
    const sent = deliveriesOf(one).map(({ message }) => message);
    expect(sent, one.id).toEqual(expect.arrayContaining([...(awaitedIn(one)?.messages ?? [])]));
  }
});

test('three events have six orders', () => {
  expect(new Set(sixOrders.map((order) => order.join())).size).toBe(6);
});

test('a case is found by its id', () => {
  expect(findDriveCase('forged.sha1')?.title).toBe('a weaker algorithm');
  expect(findDriveCase('forged')).toBeUndefined();
});
