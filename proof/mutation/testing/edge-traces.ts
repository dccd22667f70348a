import type { Trace } from '../../../contract/trace.ts';
import { admitted, type Given, limited, times, traceOf } from '../../../judge/testing/traces.ts';

const limits = { standard: 3, messages: 3, media: 3 };
const standard: Given = { scope: 'standard', limit: '3' };
const messages: Given = { scope: 'messages', limit: '3' };

/** Traces in which a number just meets, or just misses, what a proof asks for; or which lack but one thing. */
export const edgeTraces: readonly (readonly [name: string, trace: Trace])[] = [
  // Four places within the shortest window, and 0.1 ms less.
  ...[59_975, 59_974.9].map((lastMs) => {
    const inWindow = [0, 1_000, 2_000, lastMs].map((ms) => admitted(ms, ms, { limit: '3' }));
    return [`window-of-${lastMs}`, traceOf(inWindow, { limits })] as const;
  }),
  ['over-before-429', traceOf([...times(5, () => admitted(0, 5)), limited(1_000, 1_005)], { limits })],
  // What was full before the first 429 had left, or had just come.
  [
    'full-before-left',
    traceOf([...times(3, () => admitted(0, 5)), limited(60_025, 60_030), limited(200_000, 200_005)], {
      limits,
    }),
  ],
  [
    'full-before-came',
    traceOf(
      [
        ...times(2, () => admitted(30_000, 30_005)),
        limited(60_025, 60_030),
        admitted(60_030, 60_035),
        limited(200_000, 200_005),
      ],
      { limits },
    ),
  ],
  // Five in a second of the slowest clock, which a cap of two may let pass, and 0.1 ms less.
  ...[998.6, 998.5].map((lastMs) => {
    const second = [0, 100, 200, 300, lastMs].map((ms) => admitted(ms, ms, standard));
    return [`second-of-${lastMs}`, traceOf([...second, limited(200_000, 200_005, standard)], {})] as const;
  }),
  // An admission beside the rejections that would have filled the window before it.
  [
    'full-beside',
    traceOf([...[0, 10].map((ms) => limited(ms, ms + 5)), limited(20, 40), admitted(30, 35)], { limits }),
  ],
  [
    'full-at-once',
    traceOf([...[0, 10].map((ms) => limited(ms, ms + 5)), limited(20, 30), admitted(30, 35)], { limits }),
  ],
  ['too-few-full', traceOf([limited(0, 5), limited(10, 15), admitted(30, 35)], { limits })],
  [
    'second-wait',
    traceOf([limited(0, 5, { limit: '3' }), limited(5_008, 5_010, { limit: '3' })], { limits }),
  ],
  // Under one reading a wait in vain, under the other a 429 with room, which a cap per second could explain as well.
  [
    'wait-and-room',
    traceOf(
      [
        ...[0, 3_000, 6_000].map((ms) => limited(ms, ms + 5, standard)),
        admitted(100_000, 100_005, standard),
        limited(200_000, 200_005, standard),
      ],
      { limits },
    ),
  ],
  // Places left, which requests beside may have taken: of another scope, of another key, to other paths.
  ...[
    ['own-key', messages],
    ['own-scope', { key: 'B' }],
    ['neither', { ...messages, key: 'B' }],
    ['other-path', { ...messages, route: 'subpath' }],
  ].map(([name, given]) => [`left-beside-${String(name)}`, leftBeside(given as Given, [])] as const),
  [
    'left-beside-apart',
    leftBeside(
      messages,
      times(3, () => admitted(1, 2, messages)),
    ),
  ],
  [
    'left-beside-apart-path',
    leftBeside(
      { ...messages, route: 'subpath' },
      times(3, () => admitted(1, 2, messages)),
    ),
  ],
  [
    'left-beside-apart-key',
    leftBeside(
      { key: 'B' },
      times(3, () => admitted(1, 2, { key: 'B' })),
    ),
  ],
  ['left-in-use', leftBeside({}, [], { exclusiveKeys: false })],
  ['left-capped', leftOfStandard([0, 3_000], 13_000)],
  ['left-clear-of-cap', leftOfStandard([0, 3_000], 6_000)],
  ['left-near-cap', leftOfStandard([0, 3_000], 4_000)],
  // The first 429 is clear of others, and the second one is not.
  ['left-near-cap-again', leftOfStandard([0, 3_000], 13_000, 13_500)],
];

/** The answer at 100 ms leaves two places; one request beside comes before the 429. */
function leftBeside(
  given: Given,
  before: readonly ReturnType<typeof admitted>[],
  deployment: Readonly<Record<string, unknown>> = {},
): Trace {
  const beside = admitted(150, 155, { limit: '3', ...given });
  return traceOf(
    [
      ...before,
      admitted(100, 105, { limit: '3', remaining: '2' }),
      beside,
      limited(200, 205),
      limited(210, 215),
    ],
    { limits, deployment },
  );
}

function leftOfStandard(admittedMs: readonly number[], ...refusedMs: readonly number[]): Trace {
  const counted = admittedMs.map((ms, at) =>
    admitted(ms, ms + 5, { ...standard, remaining: String(2 - at) }),
  );
  const refused = refusedMs.map((ms) => limited(ms, ms + 5, standard));
  return traceOf([...counted, ...refused], { limits });
}
