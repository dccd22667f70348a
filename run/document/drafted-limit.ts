import { probedWindowMsMax } from '../../contract/document/further-limit.ts';
import type { DraftField } from './draft.ts';
import type { Refill } from './refill.ts';
import { namesText, type SeenLimit } from './seen-limits.ts';

/** Answers of a person or flags; `null` where nobody said anything. */
export type SaidOfLimit = {
  readonly title: string | null;
  readonly limit: number | null;
  readonly windowSeconds: number | null;
  readonly promise: string | null;
};

/** Where nobody knows, and nobody was there to be asked. */
export const assumed = { limit: 60, windowSeconds: 60, promise: 'unsaid' } as const;

/** How many requests pass in a window: as was said, else as answers say, else made up. */
export function limitField(seen: SeenLimit | undefined, said: SaidOfLimit): DraftField {
  const name = 'limit';
  if (said.limit !== null) {
    const isOther = seen !== undefined && seen.limit !== null && seen.limit !== said.limit;
    return {
      name,
      value: said.limit,
      said: isOther ? [`${sayText([seen])} ${seen.limit}.`] : [],
    };
  }
  const left = seen?.remaining ?? null;
  if (seen !== undefined && seen.limit !== null) {
    const isMore = left !== null && left > seen.limit;
    const todo = `answers say that ${left} were left, which is more than this limit: which of the two is right?`;
    const said = [`As ${sayText([seen])}.`];
    return { name, value: Math.max(1, seen.limit), said, ...(isMore ? { todo } : {}) };
  }
  if (left === null || left < assumed.limit)
    return { name, value: assumed.limit, todo: `no answer says how many pass: ${assumed.limit} is made up` };
  const todo = `no answer says how many pass: ${left} were left after the first request, so that it is one more at least`;
  return { name, value: left + 1, todo };
}

/** How long a window is, s: as was said, else as answers say, else made up. */
export function windowField(seen: SeenLimit | undefined, said: SaidOfLimit): DraftField {
  const name = 'windowSeconds';
  if (said.windowSeconds !== null) return { name, value: said.windowSeconds };
  if (seen === undefined || seen.window === null) {
    const refill = seen?.refill ?? null;
    const why =
      seen === undefined || refill === null ? 'no answer says' : `${refillText(seen, refill)}, and not`;
    const todo = `${why} how long a window is: ${assumed.windowSeconds} s are made up`;
    return { name, value: assumed.windowSeconds, todo };
  }
  const { seconds, by } = seen.window;
  if (seconds * 1_000 > probedWindowMsMax) {
    const todo = `answers tell of a window of ${seconds} s, which no run lasts: an hour stands here`;
    return { name, value: probedWindowMsMax / 1_000, todo };
  }
  if (by === 'said') return { name, value: seconds, said: [`As ${sayText([seen])}.`] };
  const todo =
    by === 'refill' && seen.refill !== null
      ? `${refillText(seen, seen.refill)}: all ${seen.limit} would take about ${seconds} s. Is it a bucket that gets so many back in that time?`
      : `concluded from when the window ends (${namesText(seen)}): is it so long?`;
  return { name, value: seconds, todo };
}

/** What a reset said of a bucket. */
function refillText({ own, names }: SeenLimit, { missing, seconds }: Refill): string {
  const places = missing === 1 ? '1 place' : `${missing} places`;
  const reset = typeof own?.reset === 'string' ? own.reset : names.at(-1);
  return `${reset} seems to say when a bucket is full again (${places} in ${seconds} s)`;
}

/** What kind of limit is promised, with what was seen of it. */
export function promiseField(seen: SeenLimit | undefined, said: SaidOfLimit): DraftField {
  const hints = (seen?.hints ?? []).map((hint) => `Seen: ${hint}.`);
  const kinds = 'Kinds: rolling, fixed, token-bucket, at-most, at-least, unsaid (any limiter).';
  return {
    name: 'promise',
    value: said.promise ?? assumed.promise,
    said: [...hints, kinds],
    todo:
      said.promise === null
        ? 'headers do not say what kind of limit is promised: unsaid accepts any'
        : undefined,
  };
}

/** Limits with longer windows than the first: a request has to pass all of them. */
export function furtherFields(further: readonly SeenLimit[]): readonly DraftField[] {
  const also = further.flatMap(({ limit, window }) =>
    limit === null || limit === 0 || window === null
      ? []
      : [{ limit, windowSeconds: Math.min(window.seconds, 2_678_400), promise: assumed.promise }],
  );
  return also.length === 0
    ? []
    : [{ name: 'also', value: also.slice(0, 3), said: [`Further limits, as ${sayText(further)}.`] }];
}

/** The headers that tell of some limits, and that they do. */
function sayText(limits: readonly SeenLimit[]): string {
  const isOne = limits.length === 1 && limits[0]?.names.length === 1;
  return `${limits.map(namesText).join('; ')} ${isOne ? 'says' : 'say'}`;
}
