import { expect, it } from 'vitest';
import { silenceText } from './silence.ts';

const sent = (purpose: string, atSeconds: number, outcome: 'admitted' | 'limited') => ({
  purpose,
  outcome,
  sentMs: atSeconds * 1_000,
});

const filled = [
  sent('anchor', 0, 'admitted'),
  sent('saturate', 3, 'admitted'),
  sent('confirm', 3, 'limited'),
];

it('says for how long nothing was admitted, and after which silence', () => {
  const text = silenceText([...filled, sent('rung', 60, 'limited'), sent('rung', 183, 'limited')], null);
  expect(text).toContain('nothing was admitted in 180 s after the limit was reached, not even after 123 s');
  expect(text).toContain('--longest');
});

it('names the flag that waits for what the refusals announce', () => {
  const text = silenceText([...filled, sent('rung', 60, 'limited')], 900_400);
  expect(text).toMatch(/announce capacity after 900 s: --longest 901 waits for it\.$/);
});

it.each([
  ['something was admitted', [...filled, sent('rung', 60, 'limited'), sent('rung', 66, 'admitted')]],
  ['nobody asked', filled],
  ['nothing was sent', []],
])('says nothing where %s', (_what, trace) => {
  expect(silenceText(trace, null)).toBeNull();
});
