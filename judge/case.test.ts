import { expect, it } from 'vitest';
import { messagingDocument } from '../contract/document/messaging.ts';
import type { PromiseSetting } from '../contract/document/promise.ts';
import type { Exchange } from '../contract/exchange.ts';
import { caseOf } from './case.ts';
import { askedOfCounter, counterAnswers } from './testing/counter.ts';
import { admitted, indeterminate, limited, originMs, times, traceOf } from './testing/traces.ts';

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

it('keys are shown apart unless the clocks moved apart while the window was held', () => {
  const ahead = (ms: number, aheadMs: number) => ({
    wallSentMs: originMs + ms + aheadMs,
    wallReceivedMs: originMs + ms + 5 + aheadMs,
  });
  const keyless = { key: null, credential: 'absent' } as const;
  const apart = (beforeMs: number, betweenMs: number, laterMs: number) => {
    const before = admitted(-200_000, -199_995, { ...ahead(-200_000, beforeMs), ...keyless });
    const between = admitted(15_000, 15_005, { ...ahead(15_000, betweenMs), ...keyless });
    const later = admitted(30_000, 30_005, { ...ahead(30_000, laterMs), key: 'B' });
    return caseOf(traceOf([before, ...full, between, later])).keysApart !== null;
  };
  expect(apart(0, 0, 0)).toBe(true);
  expect(apart(0, 9_000, 9_000)).toBe(false);
  expect(apart(9_000, 0, 0)).toBe(true);
});

it.each<readonly [string, readonly Exchange[]]>([
  [
    'an admission of another key in another scope',
    [...times(300, () => admitted(0, 5, { scope: 'messages' })), admitted(100, 105, { key: 'B' })],
  ],
  ['one too many of the same key', times(32, (at) => admitted(at * 10, at * 10 + 5))],
])('%s shows nothing apart', (_what, exchanges) => {
  expect(caseOf(traceOf(exchanges))).toMatchObject({ keysApart: null, scopesApart: null });
});

it('scopes are shown apart by what each of them promises, where one of them has another kind of window', () => {
  const limits = { standard: 120, messages: 30, media: 30 };
  // By the clock a window begins in between.
  const exchanges = [
    ...times(30, () => admitted(-5_000, -4_995, { scope: 'messages' })),
    admitted(10_000, 10_005),
  ];
  const apartWhere = (promise: PromiseSetting) => {
    const { messages, media } = messagingDocument.scopes;
    const scopes = {
      ...messagingDocument.scopes,
      messages: { ...messages!, limit: limits.messages },
      media: { ...media!, promise },
    };
    const document = { ...messagingDocument, scopes };
    return caseOf(traceOf(exchanges, { limits, deployment: { document } })).scopesApart !== null;
  };
  expect(apartWhere('rolling')).toBe(true);
  expect(apartWhere({ kind: 'fixed', aligned: 'clock' })).toBe(false);
});

it('a group is no second witness of its own length', () => {
  const limits = { standard: 4, messages: 4, media: 4 };
  const clausesBlamed = (keys: readonly string[]) =>
    caseOf(
      traceOf(
        keys.flatMap((key) => counterAnswers(askedOfCounter, { key })),
        { limits },
      ),
    ).analyses.map(({ attribution }) => attribution.kind === 'blamed' && attribution.clause);
  expect(clausesBlamed(['A'])).toEqual(['limits.media']);
  expect(clausesBlamed(['A', 'B'])).toEqual(['window.length', 'window.length']);
});

it('what the API answers to keys leaves out proxies, requests without an answer and those without a key', () => {
  const [answered, refused] = [admitted(0, 5), limited(20, 25)];
  const keyless = admitted(30, 35, { key: null, credential: 'absent', status: 401, outcome: 'refused' });
  const ofProxy = admitted(15, 18, { status: 502, outcome: 'refused' });
  const found = caseOf(traceOf([answered, indeterminate(10), ofProxy, refused, keyless]));
  expect(found).toMatchObject({ keyed: [answered, refused], limited: [refused], keyless: [keyless] });
});
