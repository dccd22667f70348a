import { greatestOf } from '../../contract/extremes.ts';
import { type Outcome, outcomes } from '../../contract/outcome.ts';
import { rounded, type Timeline } from '../../contract/pictures.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import { momentIn, type ResetUnit, resetIn } from '../../contract/reset-units.ts';
import { countingAlong } from '../counting.ts';
import type { Entry, Group } from '../entries.ts';
import { boundsAdmitted } from '../intervals.ts';
import type { Reading } from '../lengths.ts';
import type { Bounds } from '../misfit.ts';
import { remainingBounds } from '../remaining-bounds.ts';

/** Characters of a request id or a purpose that a picture keeps. */
const textCharactersMax = 80;

export type Marks = Pick<Timeline, 'purposes' | 'exchangesPerMark' | 'marks'>;

export type MarksOptions = {
  /** In which answers write their reset. */
  readonly unit: ResetUnit;
  /** Whether one rolling window is promised: of another limit it is not known what remains. */
  readonly isRolling: boolean;
  readonly reading: Reading;
  /** Where there are more exchanges, several are drawn as one. */
  readonly marksMax: number;
};

/** The exchanges of a group, each with what its headers say and what the trace implies; alike ones together where many. */
export function marksOf(group: Group, options: MarksOptions): Marks {
  const { marksMax } = options;
  const { entries } = group;
  const together =
    entries.length <= marksMax ? 1 : Math.ceil(entries.length / Math.max(1, marksMax - outcomes.length));
  const said = saidBy(group, options);
  const marks = Array.from(chunked(entries, together), (some) => markOf(some, said)).sort(
    (left, right) => left.sentMs - right.sentMs || outcomeAt(left) - outcomeAt(right),
  );
  const purposes = [...new Set(marks.map(({ entry }) => entry.exchange.purpose))];
  return {
    purposes: purposes.map((purpose) => purpose.slice(0, textCharactersMax)),
    exchangesPerMark: together,
    marks: columnsOf(marks, { purposes, originMs: entries[0]?.lowMs ?? 0 }),
  };
}

/** Runs of `together` entries of one outcome, each in the order of sending; the last of each outcome may be shorter. */
function* chunked(entries: readonly Entry[], together: number): Generator<readonly Entry[]> {
  const begun = new Map<Outcome, Entry[]>();
  for (const entry of entries) {
    const { outcome } = entry.exchange;
    const alike = begun.get(outcome) ?? [];
    if (alike.push(entry) === together) {
      begun.delete(outcome);
      yield alike;
    } else begun.set(outcome, alike);
  }
  yield* begun.values();
}

type Mark = {
  readonly sentMs: number;
  readonly receivedMs: number | null;
  readonly count: number;
  /** The one whose figures are shown. */
  readonly entry: Entry;
  readonly said: Said;
};

function outcomeAt({ entry }: Mark): number {
  return outcomes.indexOf(entry.exchange.outcome);
}

function markOf(some: readonly Entry[], { remaining, said }: Saying): Mark {
  // It is of one at least.
  const [first] = some as readonly [Entry];
  const answered = some.map(({ highMs }) => highMs).filter(Number.isFinite);
  let shown = first;
  let most = misfit(remaining(first));
  for (let at = 1; at < some.length; at += 1) {
    const other = some[at] as Entry;
    const misfits = misfit(remaining(other));
    if (misfits <= most) continue;
    shown = other;
    most = misfits;
  }
  return {
    sentMs: first.lowMs,
    receivedMs: answered.length === 0 ? null : greatestOf(answered),
    count: some.length,
    entry: shown,
    said: said(shown),
  };
}

/** What the headers of one answer say, and what the trace implies. */
type Said = {
  readonly remaining: Remaining | null;
  readonly resetAheadSeconds: number | null;
  readonly firstBackSeconds: number | null;
  readonly allBackSeconds: number | null;
};

type Remaining = Bounds & { readonly value: number };

type Saying = {
  readonly remaining: (entry: Entry) => Remaining | null;
  readonly said: (entry: Entry) => Said;
};

function misfit(remaining: Remaining | null): number {
  if (remaining === null) return -1;
  const { value, lowest, highest } = remaining;
  return Math.max(0, value - highest, lowest - value);
}

function saidBy(group: Group, { reading, unit, isRolling }: MarksOptions): Saying {
  const inWindow = remainingBounds(group, reading);
  const { lows: admittedMs } = boundsAdmitted(group.entries);
  const [gone, sent] = [countingAlong(admittedMs), countingAlong(admittedMs)];
  const remaining = (entry: Entry): Remaining | null => {
    const value = headerInteger(entry.exchange, 'remaining');
    if (value === null) return null;
    return isRolling
      ? { value, ...inWindow(entry) }
      : { value, lowest: 0, highest: Math.max(value, group.limit) };
  };
  const said = (entry: Entry): Said => {
    const { exchange, lowMs } = entry;
    const reset = resetIn(unit, exchange);
    const oldestMs = admittedMs[gone.upTo(lowMs - group.windowMs)];
    const newestMs = admittedMs[sent.upTo(lowMs) - 1];
    const isHolding = reset !== null && oldestMs !== undefined && oldestMs <= lowMs;
    const aheadSeconds = (ms: number | undefined): number | null =>
      isHolding && ms !== undefined ? rounded((ms + group.windowMs - lowMs) / 1_000) : null;
    return {
      remaining: remaining(entry),
      resetAheadSeconds:
        reset === null ? null : rounded(reset - momentIn(unit, exchange.wallSentMs ?? exchange.sentMs)),
      firstBackSeconds: aheadSeconds(oldestMs),
      allBackSeconds: aheadSeconds(newestMs),
    };
  };
  return { remaining, said };
}

type Origin = { readonly purposes: readonly string[]; readonly originMs: number };

function columnsOf(marks: readonly Mark[], { purposes, originMs }: Origin): Timeline['marks'] {
  return {
    sentMs: marks.map(({ sentMs }) => rounded(sentMs - originMs)),
    receivedMs: marks.map(({ receivedMs }) => (receivedMs === null ? null : rounded(receivedMs - originMs))),
    outcome: marks.map(outcomeAt),
    count: marks.map(({ count }) => count),
    status: marks.map(({ entry }) => entry.exchange.status),
    purpose: marks.map(({ entry }) => purposes.indexOf(entry.exchange.purpose)),
    requestId: marks.map(({ entry }) => entry.exchange.requestId.slice(0, textCharactersMax)),
    remaining: marks.map(({ said }) => said.remaining?.value ?? null),
    remainingLow: marks.map(({ said }) => said.remaining?.lowest ?? null),
    remainingHigh: marks.map(({ said }) => said.remaining?.highest ?? null),
    resetAheadSeconds: marks.map(({ said }) => said.resetAheadSeconds),
    firstBackSeconds: marks.map(({ said }) => said.firstBackSeconds),
    allBackSeconds: marks.map(({ said }) => said.allBackSeconds),
  };
}
