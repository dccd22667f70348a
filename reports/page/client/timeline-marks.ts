import type { Timeline } from '../../../contract/pictures.ts';
import { milliseconds, seconds } from '../../../contract/quantities.ts';
import { purposeText } from '../../purpose-text.ts';
import { awayText } from '../far-values.ts';

/** One mark of a timeline, made from its columns. Times in s from the origin. */
export type Mark = {
  readonly x: number;
  readonly outcome: OutcomeName;
  readonly remaining: number | null;
  readonly remainingLow: number | null;
  readonly remainingHigh: number | null;
  readonly resetAheadSeconds: number | null;
  readonly firstBackSeconds: number | null;
  readonly allBackSeconds: number | null;
  /** Everything about it, a line each. */
  readonly text: string;
};

/** The outcomes of contract/exchange.ts in their order, which positions refer to. That file would bring zod into the page. */
export const outcomeNames = ['admitted', 'limited', 'refused', 'indeterminate'] as const;

export type OutcomeName = (typeof outcomeNames)[number];

export const outcomeColours: Readonly<Record<OutcomeName, string>> = {
  admitted: 'var(--admitted)',
  limited: 'var(--limited)',
  refused: 'var(--refused)',
  indeterminate: 'var(--indeterminate)',
};

export function outcomeAt(position: number): OutcomeName {
  return outcomeNames[position] ?? 'indeterminate';
}

/** The marks of a timeline in the order of sending. */
export function marksOf(timeline: Timeline): readonly Mark[] {
  const { marks } = timeline;
  return marks.sentMs.map((sentMs, at) => ({
    x: sentMs / 1_000,
    outcome: outcomeAt(marks.outcome[at] ?? 0),
    remaining: marks.remaining[at] ?? null,
    remainingLow: marks.remainingLow[at] ?? null,
    remainingHigh: marks.remainingHigh[at] ?? null,
    resetAheadSeconds: marks.resetAheadSeconds[at] ?? null,
    firstBackSeconds: marks.firstBackSeconds[at] ?? null,
    allBackSeconds: marks.allBackSeconds[at] ?? null,
    text: textOf(timeline, at),
  }));
}

function textOf({ marks, purposes }: Timeline, at: number): string {
  const sentMs = marks.sentMs[at] ?? 0;
  const receivedMs = marks.receivedMs[at] ?? null;
  const count = marks.count[at] ?? 1;
  const status = marks.status[at] ?? null;
  const took =
    receivedMs === null ? 'never answered' : `answered within ${milliseconds(receivedMs - sentMs)}`;
  const remaining = marks.remaining[at] ?? null;
  const low = marks.remainingLow[at] ?? null;
  const high = marks.remainingHigh[at] ?? null;
  const ahead = marks.resetAheadSeconds[at] ?? null;
  return [
    [
      `${outcomeAt(marks.outcome[at] ?? 0)}${status === null ? '' : ` (${status})`}`,
      purposeText(purposes[marks.purpose[at] ?? 0] ?? ''),
      ...(count === 1 ? [] : [`${count} requests`]),
    ].join(', '),
    `sent +${seconds(sentMs)}, ${took}`,
    ...(remaining === null ? [] : [`Remaining ${remaining}, possible ${rangeText(low, high)}`]),
    ...(ahead === null ? [] : [`Reset ${aheadText(ahead)}`]),
    marks.requestId[at] ?? '',
  ].join('\n');
}

/** To the millisecond, where that can be meant. */
function aheadText(ahead: number): string {
  return Math.abs(ahead) < 7_200 ? `${seconds(ahead * 1_000)} ahead` : awayText(ahead);
}

function rangeText(low: number | null, high: number | null): string {
  if (low === null || high === null) return 'nothing';
  return low === high ? String(low) : `${low} to ${high}`;
}
