import { draftOf, drafts, type JsonSchemaObject } from '../body-schema/json-schema.ts';
import type { Clause } from '../clause.ts';
import { type Document, limitedStatusText } from '../document/document.ts';
import type { PromisedBody } from '../document/refusal.ts';
import { type RetryAfterForm, type RetryAfterHeader, retryAfterOf } from '../document/retry-after.ts';
import { type ScopedHeaders, wordedHeaders } from '../document/scope-headers.ts';
import { type WaitUnit, waitUnitOf } from '../wait-units.ts';

/** Clauses about what a document says of refusals beside their status. */
export type RefusalClauseId =
  | 'refusal.body'
  | 'refusal.body-schema'
  | 'refusal.retry-after'
  | 'refusal.retry-after-suffices'
  | 'refusal.wait'
  | 'refusal.wait-suffices'
  | 'refusal.reset-suffices'
  | 'refusal.stated-wait-suffices';

type RefusalClause = Clause & { readonly id: RefusalClauseId };

const common = { section: 'Errors', level: 'must', needs: 'saturation' } as const;

/**
 * The clauses of what a document says of its refusals, in the order of reports.
 * @param limits ids of its clauses about limits.
 */
export function refusalClausesOf(
  document: Pick<Document, 'refusal'> & ScopedHeaders,
  limits: readonly string[],
): readonly RefusalClause[] {
  const { refusal } = document;
  if (refusal === undefined) return [];
  const status = limitedStatusText(document);
  const { retryAfterPointer, waitSeconds, waitUntilReset = false } = refusal;
  const { names } = wordedHeaders(document);
  const retryAfter = retryAfterOf(refusal);
  return [
    ...(refusal.body === undefined ? [] : [bodyClause(status, refusal.body)]),
    ...(refusal.bodySchema === undefined ? [] : [schemaClause(status, refusal.bodySchema)]),
    ...(retryAfter === null ? [] : headerClauses(status, retryAfter, limits)),
    ...(retryAfterPointer === undefined
      ? []
      : fieldClauses({ status, limits, pointer: retryAfterPointer, unit: waitUnitOf(refusal) })),
    ...(waitUntilReset ? [resetClause(status, names.reset ?? 'Reset', limits)] : []),
    ...(waitSeconds === undefined ? [] : [statedClause(status, waitSeconds, limits)]),
  ];
}

function resetClause(status: string, name: string, limits: readonly string[]): RefusalClause {
  return {
    ...common,
    id: 'refusal.reset-suffices',
    title: `waiting until ${name} is enough`,
    requirement: `The only user of a key that waits after a ${status} until what ${name} says is admitted.`,
    judged:
      'After refusals the probe waits so long and a second more, since a window may be held that much longer; where the reset ' +
      'is a moment, also as long as clocks may be apart (clockSkewSecondsMax).',
    violation: 'Another refusal after that wait, with nothing in between that could take the place.',
    dependsOn: ['error.status', 'headers.reset', ...limits, 'window.rolling', 'window.length'],
  };
}

function statedClause(status: string, seconds: number, limits: readonly string[]): RefusalClause {
  return {
    ...common,
    id: 'refusal.stated-wait-suffices',
    title: `waiting ${seconds} s after a ${status} is enough`,
    requirement: `The only user of a key that waits ${seconds} s after a ${status} is admitted.`,
    judged:
      'At the end the key is left alone for so long after a refusal, and a second more, since a window may be held that much ' +
      'longer: unless what came before shows it already.',
    violation: 'Another refusal after that wait, with nothing in between that could take the place.',
    dependsOn: ['error.status', ...limits, 'window.rolling', 'window.length'],
  };
}

function bodyClause(status: string, body: PromisedBody): RefusalClause {
  const values = Object.entries(body).map(
    ([pointer, value]) => `${pointer || 'all of it'} ${JSON.stringify(value)}`,
  );
  return {
    ...common,
    id: 'refusal.body',
    title: `a ${status} has the documented body`,
    requirement: `The body of a ${status} is JSON, with ${values.join(', ')}.`,
    judged: 'Every refusal whose body the trace shows whole.',
    violation: 'A body that is not JSON, or lacks one of these values, or has another in its place.',
    dependsOn: [],
  };
}

function schemaClause(status: string, schema: JsonSchemaObject): RefusalClause {
  const draft = drafts[draftOf(schema) ?? '2020-12'].name;
  const title = typeof schema['title'] === 'string' ? ` “${schema['title']}”` : '';
  return {
    ...common,
    id: 'refusal.body-schema',
    title: `a ${status} has a body that fits the documented schema`,
    requirement: `The body of a ${status} is JSON that fits the document’s schema${title} (JSON Schema, ${draft}).`,
    judged:
      'Every refusal whose body the trace shows whole. What format says is a note for readers; of a body that nests ' +
      'deeper than 200 levels, nothing is said.',
    violation: 'A body that is not JSON, or in which a value does not fit.',
    dependsOn: ['refusal.body'],
  };
}

const formText: Readonly<Record<RetryAfterForm, string>> = {
  seconds: 'a whole number of seconds (RFC 9110 §10.2.3)',
  date: 'a date (RFC 9110 §10.2.3)',
  either: 'a whole number of seconds, or a date (RFC 9110 §10.2.3)',
  decimal: 'a number of seconds, with or without a fraction',
  ms: 'a number of milliseconds',
  duration: 'a duration, as 1m30s',
};

function headerClauses(
  status: string,
  { name, form }: RetryAfterHeader,
  limits: readonly string[],
): readonly RefusalClause[] {
  const isDate = form === 'date' || form === 'either';
  const compared = isDate
    ? ' A date is compared with the Date of its own answer, give or take clockSkewSecondsMax.'
    : '';
  const kept = isDate ? '; of a date, as long as it is ahead of Date, and clockSkewSecondsMax' : '';
  const otherUnit = form === 'ms' ? '' : 'milliseconds, ';
  return [
    {
      ...common,
      id: 'refusal.retry-after',
      title: `a ${status} carries a usable ${name}`,
      requirement: `Every ${status} carries ${name}: ${formText[form]}, not past.`,
      judged: `Every refusal.${compared} A wait is too long only beyond two windows, where it can be no time to wait.`,
      violation: `No ${name}, zero, another form, ${otherUnit}or a point in time in place of a number.`,
      dependsOn: ['error.status'],
    },
    {
      ...common,
      id: 'refusal.retry-after-suffices',
      title: `waiting as long as ${name} says is enough`,
      requirement: `The only user of a key that waits for what ${name} says after a ${status} is admitted.`,
      judged:
        'After several refusals the probe waits exactly that long, with nothing of its own in between that could take ' +
        `the place${kept}.`,
      violation: 'Another refusal after the announced wait.',
      dependsOn: ['error.status', 'refusal.retry-after', ...limits, 'window.rolling', 'window.length'],
    },
  ];
}

type Field = {
  readonly status: string;
  readonly limits: readonly string[];
  readonly pointer: string;
  readonly unit: WaitUnit;
};

const unitTexts = {
  'whole-seconds': {
    is: 'an integer of at least 1: a wait in seconds',
    isNot: 'Zero, a fraction, a string, milliseconds, a point in time, or no such field.',
  },
  seconds: {
    is: 'a number above 0: a wait in seconds',
    isNot: 'Zero, a string, milliseconds, a point in time, or no such field.',
  },
  ms: {
    is: 'a number above 0: a wait in milliseconds',
    isNot: 'Zero, a string, a point in time, or no such field.',
  },
} as const satisfies Record<WaitUnit, unknown>;

function fieldClauses({ status, limits, pointer, unit }: Field): readonly RefusalClause[] {
  const { is, isNot } = unitTexts[unit];
  return [
    {
      ...common,
      id: 'refusal.wait',
      title: `${pointer} is usable`,
      requirement: `${pointer} in the body of a ${status} is ${is}.`,
      judged:
        'Every refusal whose body the trace shows whole. A wait is too long only beyond two windows, where it can be no ' +
        'time to wait.',
      violation: isNot,
      dependsOn: ['error.status', 'refusal.body', 'refusal.body-schema'],
    },
    {
      ...common,
      id: 'refusal.wait-suffices',
      title: `waiting as long as ${pointer} says is enough`,
      requirement: `The only user of a key that waits for what ${pointer} says after a ${status} is admitted.`,
      judged:
        'After several refusals the probe waits exactly that long, with nothing of its own in between that could take the place.',
      violation: 'Another refusal after the announced wait.',
      dependsOn: ['error.status', 'refusal.wait', ...limits, 'window.rolling', 'window.length'],
    },
  ];
}
