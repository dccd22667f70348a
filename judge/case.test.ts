import { expect, it } from 'vitest';
import { caseOf } from './case.ts';
import { admitted, originMs, times, traceOf } from './testing/traces.ts';

const full = times(30, () => admitted(0, 5));

it.each([
  ['keys', { key: 'B' }],
  ['scopes', { scope: 'messages' }],
] as const)(
  '%s are shown apart by an admission while another is full, unless the clocks moved apart meanwhile',
  (which, given) => {
    const crowd = times(300, () => admitted(0, 5, { scope: 'messages' }));
    const filled = which === 'keys' ? full : crowd;
    const other = which === 'keys' ? given : {};
    const apart = (aheadMs: number) => {
      const wallMs = originMs + 30_000 + aheadMs;
      const later = admitted(30_000, 30_005, { ...other, wallSentMs: wallMs, wallReceivedMs: wallMs + 5 });
      const { keysApart, scopesApart } = caseOf(traceOf([...filled, later]));
      return { keys: keysApart, scopes: scopesApart }[which]?.by.exchange.requestId === later.requestId;
    };
    expect(apart(0)).toBe(true);
    expect(apart(9_000)).toBe(false);
  },
);
