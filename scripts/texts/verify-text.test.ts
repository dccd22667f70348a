import { expect, test } from 'vitest';
import type { VerifyResult } from '../../run/verify/verify.ts';
import { verifyText } from './verify-text.ts';

test('the text shows each measurement with its simulation', () => {
  const figure = (measured: number, low: number, high: number) => ({
    simulated: { low, median: (low + high) / 2, high },
    measured,
    apart: Math.max(0, measured - high),
  });
  const measured = { makespanMs: 0, admitted: 1, limited: 0, cameEarly: false, roundTripsMs: [2, 1, 4] };
  const results: VerifyResult[] = [
    {
      kind: 'verified',
      name: 'window mirror',
      makespanMs: figure(180_400, 180_200, 180_200),
      limited: figure(0, 0, 0),
      measured,
      agrees: true,
    },
    { kind: 'failed', name: 'got', reason: 'k6 crashed' },
  ];
  const text = verifyText(results, 60_000);
  expect(text).toMatch(/window mirror +180\.4 +180\.2 +0\.0 +0\.0 +agrees/);
  expect(text).toContain('got: not measured: k6 crashed');
});
