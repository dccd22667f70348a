import { settledAfterMs } from '../../contract/bounds.ts';
import type { LimitPart } from '../../contract/document/further-limit.ts';
import type { SinglePromise } from '../../contract/document/promise.ts';
import { once } from '../../contract/once.ts';
import { bySent, type Entry } from '../entries.ts';
import { withoutAnyRefusal, withTheseRefusals } from '../without-refusals.ts';
import { eachOnce, inUnits } from './in-units.ts';
import type { BlamedPart, Contradiction, PromisedGroup, Prover, Proving } from './prover.ts';

type Parts = readonly [LimitPart, ...LimitPart[]];

type ProvingOf = (promise: SinglePromise) => Proving;

/** How one of several limits is held against a trace: as if it were the only one, and only some refusals were its own. */
type PartHeld = {
  readonly part: LimitPart;
  /** As the run has it: what flags or headers say of the first limit stands in the trace. */
  readonly limit: number;
  readonly contradiction: (own: readonly Entry[], limit?: number) => Contradiction | null;
  /** The refusals that it may explain, each by itself. */
  readonly explained: (some: readonly Entry[]) => readonly Entry[];
};

/**
 * Several limits, each of which a request has to pass. Too much for one of them is too much. A 429 has to be explained by
 * one of them at least; whether the others counted that request is unknown. Each is asked alone: no joint reading can
 * explain what none explains by itself.
 */
export function proveSeveral(parts: Parts, provingOf: ProvingOf): Prover {
  return (promised) => {
    const held = parts.map((part) => heldAlone(promised, { part, parts, provingOf }));
    const [only, ...others] = held;
    if (only !== undefined && others.length === 0) return byOneAlone(only, promised.refusals);
    for (const { part, contradiction } of held) {
      const found = contradiction([]);
      if (found !== null) return { ...found, part: { name: part.name, instead: null } };
    }
    const refusals = decidingOf(promised);
    const explained = held.map((one) => new Set(explainedIn(promised, one)));
    const unexplained = refusals.filter((refusal) => explained.every((own) => !own.has(refusal)));
    if (unexplained.length > 0) return blame(held, unexplained);
    for (const [at, { part, contradiction }] of held.entries()) {
      const elsewhere = explained.filter((_, other) => other !== at);
      const own = refusals.filter((refusal) => elsewhere.every((theirs) => !theirs.has(refusal)));
      const found = own.length === 0 ? null : contradiction(own);
      if (found === null) continue;
      // What says that no other limit refused these is needed too.
      const mine = new Set(own);
      const shown = found.by.filter((entry) => mine.has(entry)).slice(0, blamedByMax);
      const ruledOut = held
        .filter((_, other) => other !== at)
        .flatMap((other) => shown.flatMap((refusal) => other.contradiction([refusal])?.by ?? []));
      return {
        ...found,
        by: inOrder([...found.by, ...ruledOut]),
        part: { name: part.name, instead: null },
      };
    }
    return null;
  };
}

/** Where there is one limit, each refusal is its own, and counts as its refusals do. */
function byOneAlone(
  { part, limit: usual, contradiction }: PartHeld,
  refusals: readonly Entry[],
): Contradiction | null {
  const found = contradiction(refusals);
  if (found === null) return null;
  const instead =
    found.kind === 'over-admission'
      ? null
      : insteadOf(usual, (limit) => contradiction(refusals, limit)?.kind ?? null);
  return { ...found, part: { name: part.name, instead } };
}

/** Each once, in the order in which they were sent. */
function inOrder(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [entry.exchange.requestId, entry])).values()].sort(bySent);
}

/** The refusals that are asked about: the first and the last of each row of them. The others count as explained. */
const decidingOf = once(({ group, refusals }: PromisedGroup): readonly Entry[] => {
  const asked = new Set(refusals);
  const entries = eachOnce(group.entries);
  return entries.filter((entry, at) => {
    const isWithin = [entries[at - 1], entries[at + 1]].every(
      (beside) => beside !== undefined && asked.has(beside),
    );
    return asked.has(entry) && !isWithin;
  });
});

/** The refusals that one of several limits may explain. */
export function refusalsOfPart(promised: PromisedGroup, asked: Asked): readonly Entry[] {
  if (asked.parts.length === 1) return promised.refusals;
  return explainedIn(promised, heldAlone(promised, asked));
}

const explainedOf = new WeakMap<PromisedGroup, Map<LimitPart, readonly Entry[]>>();

/** The refusals of a group that a limit may explain, worked out once: each clause of a limit asks for them. */
function explainedIn(promised: PromisedGroup, held: PartHeld): readonly Entry[] {
  const known = explainedOf.get(promised) ?? new Map<LimitPart, readonly Entry[]>();
  explainedOf.set(promised, known);
  const explained = known.get(held.part) ?? held.explained(decidingOf(promised));
  known.set(held.part, explained);
  return explained;
}

/** How long the window of a part is in a run, where that of the first one is so long, ms. */
export function partWindowMs(firstMs: number, part: LimitPart, [first]: Parts): number {
  return (firstMs * part.wholeSeconds) / first.wholeSeconds;
}

type Asked = { readonly part: LimitPart; readonly parts: Parts; readonly provingOf: ProvingOf };

function heldAlone(promised: PromisedGroup, { part, parts, provingOf }: Asked): PartHeld {
  const { group, begunMs } = part.of === undefined ? promised : ofOuter(promised);
  const windowMs = partWindowMs(promised.group.windowMs, part, parts);
  const usual = (part.of ?? part).name === null ? group.limit : part.limit;
  const { prove, explained } = provingOf(part.promise);
  const alone = { limit: usual, windowMs, settledMs: begunMs + settledAfterMs(windowMs) };
  return {
    part,
    limit: usual,
    contradiction: (own, limit = usual) => {
      const mine = new Set(own.map(({ exchange }) => exchange));
      return prove({
        ...{ ...promised, begunMs },
        group: { ...withTheseRefusals(group, mine), ...alone, limit },
        refusals: own,
      });
    },
    explained: (some) =>
      explained({ ...promised, begunMs, group: { ...withoutAnyRefusal(group), ...alone }, refusals: some }),
  };
}

/** What the limits of the scope count within which that of a group lies; where it lies in none, the same. */
function ofOuter(promised: PromisedGroup): Pick<PromisedGroup, 'group' | 'begunMs'> {
  const { outer } = promised.group;
  if (outer === undefined) return promised;
  return { group: inUnits(outer), begunMs: outer.settledMs - settledAfterMs(outer.windowMs) };
}

/** Of many refusals that contradict, so many are looked at closely, the first ones. */
const blamedByMax = 8;

/** The limit that would have to be lowered by the least share of itself to explain what none of them does. */
function blame(held: readonly PartHeld[], unexplained: readonly Entry[]): Contradiction {
  const shown = unexplained.slice(0, blamedByMax);
  const lowered = held.map(({ part, limit: usual, contradiction }) => {
    const instead = insteadOf(usual, (limit) => {
      const found = shown.map((one) => contradiction([one], limit)).filter((one) => one !== null);
      return found[0]?.kind ?? null;
    });
    return { part, instead, share: instead === null ? 0 : instead / usual };
  });
  const nearest = lowered.reduce((best, one) => (one.share > best.share ? one : best));
  const [first] = shown as [Entry];
  const proofs = held.map(({ contradiction }) => contradiction([first]));
  const own = proofs[lowered.indexOf(nearest)] as Contradiction;
  const part: BlamedPart = { name: nearest.part.name, instead: nearest.instead };
  return {
    ...own,
    kind: 'wrongful-429',
    observed: `${own.observed}; no other limit of the scope explains it`,
    by: inOrder(proofs.flatMap((proof) => proof?.by ?? [])),
    part,
  };
}

/**
 * The highest limit below the promised one that explains everything; `null` where each leaves a 429 unexplained, or admits
 * too little.
 */
function insteadOf(
  promisedLimit: number,
  contradictionOf: (limit: number) => Contradiction['kind'] | null,
): number | null {
  let [low, high] = [0, promisedLimit];
  // The lower it is, the sooner it refuses; and the sooner too much was admitted.
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (contradictionOf(middle) === 'wrongful-429') high = middle;
    else low = middle;
  }
  return low > 0 && contradictionOf(low) === null ? low : null;
}
