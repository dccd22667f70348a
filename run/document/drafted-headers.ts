import { resetRules } from '../../contract/reset-units.ts';
import type { DraftField } from './draft.ts';
import { namesText, type SeenLimit } from './seen-limits.ts';

/**
 * Headers that a document can promise, by what was seen: the first row that fits. The schema’s further styles are further
 * rows here.
 */
const headerStyles: readonly {
  readonly name: string;
  readonly fits: (seen: SeenLimit) => boolean;
}[] = [
  {
    name: 'x-ratelimit',
    fits: ({ triple, own, resetUnit, isOnAll, names }) =>
      triple === 'x-ratelimit-' &&
      typeof own?.limit === 'string' &&
      typeof own.remaining === 'string' &&
      resetUnit === 'epoch-seconds' &&
      isOnAll &&
      names.filter((name) => name !== 'RateLimit-Policy').length === 3,
  },
  {
    name: 'ietf-triple',
    fits: ({ triple, own, resetUnit, isOnAll }) =>
      triple === 'ratelimit-' &&
      own?.limit !== null &&
      typeof own?.remaining === 'string' &&
      resetUnit === 'seconds' &&
      isOnAll,
  },
  { name: 'ietf', fits: ({ fields, isOnAll }) => isOnAll && fields === 'ietf' },
  { name: 'ietf-draft-7', fits: ({ fields, isOnAll }) => isOnAll && fields === 'ietf-draft-7' },
];

/** Headers by their own names; `null` where there are fewer than two that a document can say. Of several limits they may tell of any. */
function namedHeaders({ own, resetUnit, isOnAll }: SeenLimit) {
  if (own === null || !isOnAll) return null;
  const named = typeof own.reset === 'string' ? { name: own.reset } : own.reset;
  const reset = named === null || resetUnit === null ? undefined : { ...named, unit: resetUnit };
  if (own.remaining === null && reset === undefined) return null;
  return {
    ...(own.limit === null ? {} : { limit: own.limit }),
    ...(own.remaining === null ? {} : { remaining: own.remaining }),
    ...(reset === undefined ? {} : { reset }),
  };
}

/** Which headers are promised, of those that were seen; `none` where a document cannot say them. */
export function headersField(limits: readonly SeenLimit[]): DraftField {
  const [seen] = limits;
  const name = 'headers';
  if (seen === undefined) return { name, value: 'none', said: ['No header that tells of a limit was seen.'] };
  const unit = seen.resetUnit === null ? '' : ` (reset: ${resetRules[seen.resetUnit].words})`;
  const said = `Seen: ${namesText(seen)}${unit}${seen.isOnAll ? '' : ', not on all answers'}.`;
  const style = headerStyles.find(({ fits }) => fits(seen));
  if (style !== undefined) return { name, value: style.name, said: [said] };
  const value = namedHeaders(seen);
  return value === null
    ? { name, value: 'none', said: [said, 'A document cannot promise these: they are not judged.'] }
    : { name, value, said: [said, 'If an answer over the limit lacks them, add on: admitted.'] };
}
