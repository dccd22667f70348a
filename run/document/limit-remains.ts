import type { AnswerHeaders, Reading, Readings } from './limit-reading.ts';
import { isOfOther } from './limit-triples.ts';
import { leadingInteger, resetText, unitSeconds, usuallyWritten } from './limit-values.ts';

/** What headers say that tell of no limit: how many remain, or how many were used in a window that a name tells. */
export function readingsWithoutLimit(headers: AnswerHeaders): Readings {
  const names = Object.keys(headers).filter((name) => !isOfOther(name));
  const remaining = names.flatMap((name) => remainingReading(headers, name) ?? []);
  const used = names.flatMap((name) => usedReading(headers, name) ?? []);
  return new Map([...remaining, ...used].map((reading) => [reading.names.join(), reading] as const));
}

/** `x-acme-ratelimit-remaining-reads`, `x-ratelimit-remaining` beside `x-ratelimit-used`. */
const remainingName = /^(.*rate-?limit-(?:[a-z0-9-]+-)?)(?:remaining|left)(-[a-z0-9-]+)?$/;

function remainingReading(headers: AnswerHeaders, name: string): Reading | null {
  const [, prefix, suffix = ''] = remainingName.exec(name) ?? [];
  const remaining = leadingInteger(headers[name] ?? null);
  if (prefix === undefined || remaining === null) return null;
  // Beside `X-Acme-RateLimit: on`, or a limit that is no number, it is not known what remains.
  if (headers[prefix.slice(0, -1)] !== undefined || headers[`${prefix}limit${suffix}`] !== undefined)
    return null;
  const used = leadingInteger(headers[`${prefix}used${suffix}`] ?? null);
  const reset = resetText(headers[`${prefix}reset${suffix}`] ?? null);
  const [named, usedNamed, resetNamed] = [name, `${prefix}used${suffix}`, `${prefix}reset${suffix}`].map(
    usuallyWritten,
  ) as [string, string, string];
  const isPlain = /^\s*\d+\s*$/.test(headers[name] ?? '');
  return {
    names: [named, ...(used === null ? [] : [usedNamed]), ...(reset === null ? [] : [resetNamed])],
    ...{ triple: null, fields: null, windowSeconds: null },
    own: {
      limit: null,
      // `597.0` is no number that a document can promise, and what was used stands beside it.
      remaining: isPlain || used === null ? named : { name: usedNamed, as: 'used' },
      reset: reset === null ? null : resetNamed,
    },
    limit: used === null ? null : used + remaining,
    remaining,
    used,
    reset,
  };
}

/** `x-acme-used-weight-1m`, `x-acme-order-count-10s`. */
const usedName = /^.*-(?:used|usage|count)(?:-[a-z]+)*-(\d{1,4})(s|m|h|d)$/;

function usedReading(headers: AnswerHeaders, name: string): Reading | null {
  const [, count, unit = ''] = usedName.exec(name) ?? [];
  const used = leadingInteger(headers[name] ?? null);
  const seconds = unitSeconds(unit);
  if (count === undefined || used === null || seconds === null) return null;
  const named = usuallyWritten(name);
  return {
    names: [named],
    ...{ triple: null, fields: null, reset: null, limit: null, remaining: null },
    own: { limit: null, remaining: { name: named, as: 'used' }, reset: null },
    used,
    windowSeconds: Number(count) * seconds,
  };
}
