import fc from 'fast-check';
import type { Exchange } from '../../contract/exchange.ts';
import type { EndLine, TraceLine } from '../../contract/trace-lines.ts';
import { seeded } from '../../run/seeded.ts';

/** What becomes of a trace at its edges: of the last thing written, and of the end of each answer. */
export type EdgeSetting = {
  /** The run dies after this share of its lines; with or without the lines on what was about to be sent. */
  readonly death: { readonly afterShare: number; readonly isAnnounced: boolean } | null;
  /** Share of error bodies that break off. */
  readonly brokenBodies: number;
  /** The deployment is asked by HEAD, which gets no bodies. */
  readonly isHead: boolean;
};

const share = fc.integer({ min: 0, max: 1_000 }).map((part) => part / 1_000);

export const edgeSetting: fc.Arbitrary<EdgeSetting> = fc.record({
  death: fc.option(fc.record({ afterShare: share, isAnnounced: fc.boolean() }), { freq: 2 }),
  brokenBodies: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, share),
  isHead: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
});

/** What is left of the lines of a whole run, with its last line where it lived to write one. */
export function throughEdges(
  lines: readonly TraceLine[],
  end: EndLine,
  { edges, seed }: { readonly edges: EdgeSetting; readonly seed: number },
): readonly TraceLine[] {
  const { death } = edges;
  const answered = answersThrough(lines, edges, seed);
  if (death === null) return [...answered, end];
  const left = answered.slice(0, Math.floor(death.afterShare * answered.length));
  return death.isAnnounced ? left : left.filter(({ kind }) => kind !== 'sent');
}

function answersThrough(
  lines: readonly TraceLine[],
  { isHead, brokenBodies }: EdgeSetting,
  seed: number,
): readonly TraceLine[] {
  // Of most runs no answer changes: then nothing is drawn.
  if (!isHead && brokenBodies === 0) return lines;
  const random = seeded(seed ^ 0x2545f491);
  return lines.map((line) => {
    const isBroken = random() < brokenBodies;
    const part = random();
    if (line.kind !== 'exchange') return line;
    if (isHead) return { ...line, method: 'HEAD', body: line.body === null ? null : '' };
    return isBroken ? withBrokenBody(line, part) : line;
  });
}

function withBrokenBody(exchange: Exchange, part: number): Exchange {
  if (exchange.body === null) return exchange;
  return {
    ...exchange,
    body: exchange.body.slice(0, Math.floor(part * exchange.body.length)),
    bodyState: 'partial',
  };
}
