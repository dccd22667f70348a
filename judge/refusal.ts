import { fieldWait, type HeaderWait, headerWait } from '../contract/announced-wait.ts';
import type { AskedSchema } from '../contract/body-schema/json-schema.ts';
import { fitOf, placeText } from '../contract/body-schema/misfit.ts';
import { askedSchemaOf } from '../contract/body-schema/read-schema.ts';
import type { RefusalClauseId } from '../contract/clauses/refusal.ts';
import { type RetryAfterForm, retryAfterOf } from '../contract/document/retry-after.ts';
import { bodyFlaw } from '../contract/document/says-limit.ts';
import { bodyOf, type ExchangeBody } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { once } from '../contract/once.ts';
import { isNestedDeeper, jsonLevelsMax, shown } from '../contract/shown-json.ts';
import { inconclusive } from '../contract/verdict.ts';
import { type WaitUnit, waitRules, waitUnitOf } from '../contract/wait-units.ts';
import type { Examine } from './answers.ts';
import type { Case, Judge } from './case.ts';
import { inconclusiveBecause } from './conclude.ts';
import type { Flaw } from './evidence.ts';
import { judgeRefusalBodies, judgeRefusals } from './refused-answers.ts';
import { judgeReset } from './reset.ts';
import { longestWaitSeconds } from './retry-after.ts';
import { judgeSuffices } from './wait-suffices.ts';

/** Whether a body fits the promised schema: what is wrong, `null` where nothing is, `beyond` where nobody can say. */
function schemaFlaw(body: ExchangeBody, asked: AskedSchema): Flaw | null | 'beyond' {
  if (body.kind === 'left-out') return null;
  if (body.kind === 'not-json') return { reason: 'not-json', seen: body.why };
  if (isNestedDeeper(body.value, jsonLevelsMax)) return 'beyond';
  const fit = fitOf(body.value, asked);
  if (fit.kind === 'beyond') return 'beyond';
  return fit.kind === 'fits' ? null : { reason: fit.reason, seen: `${placeText(fit.place)} ${fit.words}` };
}

/** `refusal.body` */
const judgeBody: Judge = (subject) => {
  const promised = subject.trace.header.deployment.document.refusal?.body ?? {};
  const expected = Object.entries(promised).map(([pointer, value]) => `${pointer} ${shown(value)}`);
  return judgeRefusalBodies(subject, {
    expected: `JSON with ${expected.join(', ')}`,
    examine: (exchange) => bodyFlaw(bodyOf(exchange), promised),
  });
};

/** `refusal.body-schema` (JSON Schema) */
const judgeSchema: Judge = once((subject: Case) => {
  const { refusal } = subject.trace.header.deployment.document;
  const asked = askedSchemaOf(refusal?.bodySchema ?? {});
  // The same body is often sent again, and each is parsed once.
  const known = new Map<ExchangeBody, Flaw | null | 'beyond'>();
  const flawOf = (exchange: Exchange): Flaw | null | 'beyond' => {
    const body = bodyOf(exchange);
    const before = known.get(body);
    if (before !== undefined) return before;
    const flaw = schemaFlaw(body, asked);
    known.set(body, flaw);
    return flaw;
  };
  // What is no JSON is told once.
  const told = refusal?.body === undefined ? undefined : 'not-json';
  const shaped = subject.limited.filter((exchange) => bodyOf(exchange).kind !== told);
  if (shaped.length === 0 && subject.limited.length > 0) return inconclusiveBecause('refusal.body');
  const among = shaped.filter((exchange) => flawOf(exchange) !== 'beyond');
  if (among.length === 0 && shaped.length > 0)
    return inconclusive(`every body nests deeper than ${jsonLevelsMax} levels, or is no Unicode`);
  return judgeRefusalBodies(subject, {
    among,
    expected: 'JSON that fits the documented schema',
    examine: (exchange) => {
      const flaw = flawOf(exchange);
      return flaw === 'beyond' ? null : flaw;
    },
  });
});

/** `refusal.retry-after` (RFC 9110 §10.2.3) */
const judgeHeader: Judge = (subject) => {
  const { document, clockSkewSecondsMax } = subject.trace.header.deployment;
  const promised = retryAfterOf(document.refusal);
  if (promised === null) return inconclusive('no Retry-After is promised');
  const { name, form } = promised;
  const most = longestWaitSeconds(subject);
  const examine: Examine = (exchange) => {
    const wait = headerWait(exchange, form);
    const reason =
      formFlaw(wait, form) ??
      (wait.kind === 'seconds' ? secondsFlaw(wait.seconds, most) : null) ??
      (wait.kind === 'date' ? dateFlaw(wait.seconds, { most, clockSkewSecondsMax }) : null);
    const { retryAfter } = exchange;
    const seen = retryAfter === null ? `no ${name}` : `${name} ${shown(retryAfter)}`;
    return reason === null ? null : { reason, seen };
  };
  const expected = `${name} ${leastText(form)} to ${most} s`;
  return judgeRefusals(subject, { judged: subject.limited, expected, examine, leftOut: '' });
};

function leastText(form: RetryAfterForm): string {
  return form === 'seconds' || form === 'date' || form === 'either' ? 'from 1' : 'above 0, up';
}

function formFlaw({ kind }: HeaderWait, form: RetryAfterForm): string | null {
  if (kind === 'absent') return 'absent';
  if (form === 'date') return kind === 'date' ? null : 'not-a-date';
  if (kind === 'seconds' || (kind === 'date' && form === 'either')) return null;
  if (form === 'duration') return 'not-a-duration';
  return form === 'decimal' || form === 'ms' ? 'not-a-number' : 'not-an-integer';
}

function secondsFlaw(seconds: number, most: number): string | null {
  if (seconds <= 0) return 'zero';
  return seconds > most ? 'too-long' : null;
}

type DateBounds = { readonly most: number; readonly clockSkewSecondsMax: number };

/** `null` for an answer without a Date, which shows nothing of how far ahead the other date is. */
function dateFlaw(seconds: number | null, { most, clockSkewSecondsMax }: DateBounds): string | null {
  if (seconds === null) return null;
  if (seconds < -clockSkewSecondsMax) return 'past';
  return seconds > most + clockSkewSecondsMax ? 'too-long' : null;
}

/** `refusal.wait` */
const judgeField: Judge = (subject) => {
  const { deployment } = subject.trace.header;
  const { body, bodySchema } = deployment.document.refusal ?? {};
  if (body !== undefined && judgeBody(subject).kind === 'violated')
    return inconclusiveBecause('refusal.body');
  if (bodySchema !== undefined && judgeSchema(subject).kind === 'violated')
    return inconclusiveBecause('refusal.body-schema');
  const pointer = deployment.document.refusal?.retryAfterPointer ?? '';
  const unit = waitUnitOf(deployment.document.refusal);
  const most = longestWaitSeconds(subject);
  return judgeRefusalBodies(subject, {
    expected: `${pointer} ${unit === 'whole-seconds' ? 'from 1' : 'above 0, up'} to ${waitRules[unit].write(most)}`,
    examine: (exchange) => {
      const value = fieldWait(exchange, deployment);
      const reason = fieldFlaw(value, unit, most);
      return reason === null ? null : { reason, seen: `${pointer} ${shown(value)}` };
    },
  });
};

function fieldFlaw(value: unknown, unit: WaitUnit, mostSeconds: number): string | null {
  if (value === undefined) return 'absent';
  const seconds = waitRules[unit].read(value);
  if (seconds === null) return unit === 'whole-seconds' ? 'not-an-integer' : 'not-a-number';
  if (seconds <= 0) return 'zero';
  return seconds > mostSeconds ? 'too-long' : null;
}

/** The judge of each clause of `contract/clauses/refusal.ts`. */
export const refusalJudges: Readonly<Record<RefusalClauseId, Judge>> = {
  'refusal.body': judgeBody,
  'refusal.body-schema': judgeSchema,
  'refusal.retry-after': judgeHeader,
  'refusal.retry-after-suffices': judgeSuffices({
    clause: 'refusal.retry-after-suffices',
    usable: { clause: 'refusal.retry-after', judge: judgeHeader },
    place: 'header',
    name: 'Retry-After',
  }),
  'refusal.wait': judgeField,
  'refusal.wait-suffices': judgeSuffices({
    clause: 'refusal.wait-suffices',
    usable: { clause: 'refusal.wait', judge: judgeField },
    place: 'field',
    name: 'wait in the body',
  }),
  'refusal.reset-suffices': judgeSuffices({
    clause: 'refusal.reset-suffices',
    usable: { clause: 'headers.reset', judge: judgeReset },
    place: 'reset',
    name: 'wait until the reset',
  }),
  'refusal.stated-wait-suffices': judgeSuffices({
    clause: 'refusal.stated-wait-suffices',
    place: 'stated',
    name: 'documented wait',
  }),
};
