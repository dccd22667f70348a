import { keyedValues } from '../../contract/document/keyed-values.ts';
import type { AnswerHeaders, Reading, Readings } from './limit-reading.ts';
import { isOfOther, ratioReading, secondsInName } from './limit-triples.ts';
import { leadingInteger, resetText, usuallyWritten } from './limit-values.ts';

/** How keys are called by what they say: `total`, `user-hour-rem`, `resets`. */
const roles = {
  limit: /^(?:(.+)[-_.])?(?:limit|lim|total|max)$/i,
  remaining: /^(?:(.+)[-_.])?(?:remaining|rem|left)$/i,
  reset: /^(?:(.+)[-_.])?(?:resets?|until)$/i,
} as const;

type Role = keyof typeof roles;

const ratio = /^(\d{1,12})\s*\/\s*(\d{1,12})/;

/**
 * Limits of which one header says several things, each by a key: `user-hour-lim:3500;user-hour-rem:500;`, or what was used and of how
 * many, `api-usage=25/5000`.
 */
export function keyedReadings(headers: AnswerHeaders): Readings {
  return new Map(
    Object.entries(headers)
      .filter(([name]) => /limit/.test(name) && !isOfOther(name))
      .flatMap(([name, raw]) => readingsOf(usuallyWritten(name), keyedValues(raw))),
  );
}

type Found = readonly (readonly [string, Reading])[];

function readingsOf(name: string, values: ReadonlyMap<string, string>): Found {
  const named = Map.groupBy(
    [...values.keys()].flatMap((key) => roleOf(key) ?? []),
    ({ of }) => of,
  );
  const triples = [...named].flatMap(([of, keys]): Found => {
    const keyOf = (role: Role) => keys.find((one) => one.role === role)?.key ?? null;
    const [limit, remaining, reset] = [keyOf('limit'), keyOf('remaining'), keyOf('reset')];
    if (limit === null || remaining === null) return [];
    return [
      [
        `${name} ${of}`,
        {
          ...{ names: [name], triple: null, fields: null },
          own: {
            limit: { name, key: limit },
            remaining: { name, key: remaining },
            reset: reset === null ? null : { name, key: reset },
          },
          limit: leadingInteger(values.get(limit) ?? null),
          remaining: leadingInteger(values.get(remaining) ?? null),
          reset: resetText(reset === null ? null : (values.get(reset) ?? null)),
          windowSeconds: secondsInName(of),
        },
      ],
    ];
  });
  return [...triples, ...ratiosOf(name, values)];
}

function ratiosOf(name: string, values: ReadonlyMap<string, string>): Found {
  return [...values].flatMap(([key, value]): Found => {
    const [, used, limit] = ratio.exec(value) ?? [];
    if (used === undefined || limit === undefined) return [];
    return [[`${name} ${key}`, ratioReading({ name, key }, { used, limit })]];
  });
}

function roleOf(key: string): { readonly key: string; readonly role: Role; readonly of: string } | null {
  for (const role of Object.keys(roles) as readonly Role[]) {
    const found = roles[role].exec(key);
    if (found !== null) return { key, role, of: found[1] ?? '' };
  }
  return null;
}
