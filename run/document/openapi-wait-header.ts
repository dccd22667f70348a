import { headerNameSchema } from '../../contract/document/headers.ts';
import {
  type RetryAfterForm,
  retryAfterForms,
  usualRetryAfter,
} from '../../contract/document/retry-after.ts';
import { resetRules } from '../../contract/reset-units.ts';
import type { Node, OpenApi } from './openapi.ts';
import { type HeaderSaid, headersIn } from './openapi-header.ts';

/** The header of the wait that a description has on refusals, as a document says it, and what a person has to see to. */
export type DescribedWaitHeader = {
  /** Absent where it is not said how it is written. */
  readonly retryAfter?: RetryAfterForm | { readonly name: string; readonly as: RetryAfterForm };
  readonly todo: string | undefined;
};

/** `Retry-After`, `retry-after-ms`, `X-Retry-After`, `X-Acme-RateLimit-Retry-After-Seconds`. */
const waitName =
  /^(?:[a-z0-9-]*-)?retry-?(?:after|in)(?:-(?:in-)?(ms|millis|milliseconds|s|sec|secs|seconds))?$/i;

/** The header in which all of these answers say how long to wait; `null` where none is called so. */
export function waitHeaderOf(api: OpenApi, answers: readonly Node[]): DescribedWaitHeader | null {
  const each = answers.map((answer) => headersIn(api, answer).filter(isWait));
  const all = each.flat();
  // The usual one is the one that every client knows.
  const said = all.find(isUsual) ?? all[0];
  if (said === undefined) return null;
  const same = all.filter(({ name }) => name.toLowerCase() === said.name.toLowerCase());
  const forms = new Set(same.flatMap((one) => formOf(one) ?? []));
  const [form] = forms;
  if (form === undefined || forms.size > 1) {
    const written = isUsual(said) ? 'FORM' : `{ name: ${said.name}, as: FORM }`;
    const todo = `${said.name} is defined, and not how it is written: if refusals carry it, add retryAfter: ${written}, one of ${retryAfterForms.join(', ')}`;
    return { todo };
  }
  const isOnAll = each.every((one) => one.some(({ name }) => name.toLowerCase() === said.name.toLowerCase()));
  const isPromised = isOnAll && same.every(({ isRequired }) => isRequired);
  return {
    retryAfter: isUsual(said) ? form : { name: said.name, as: form },
    todo: isPromised ? undefined : `${said.name} is defined, and not required: does each refusal carry it?`,
  };
}

function isWait({ name }: HeaderSaid): boolean {
  return waitName.test(name) && headerNameSchema.safeParse(name).success;
}

function isUsual({ name }: HeaderSaid): boolean {
  return name.toLowerCase() === usualRetryAfter.toLowerCase();
}

/** How it is written, by its name, its examples, its type, or words; `null` where that is not said, or said in two ways. */
function formOf(said: HeaderSaid): RetryAfterForm | null {
  const { types, format, examples, description } = said;
  const [, unit = ''] = waitName.exec(said.name) ?? [];
  const isNumber = types.some((type) => type === 'integer' || type === 'number');
  const ofExamples = new Set(examples.map(formOfExample));
  const [ofExample = null] = ofExamples;
  if (ofExamples.size > 1) return null;
  if (unit.startsWith('m')) return 'ms';
  if (/\b(?:ms|milliseconds?|millis)\b/i.test(description)) return isUsual(said) ? null : 'ms';
  if (ofExample === 'date' || ofExample === 'duration') return isNumber ? null : ofExample;
  if (!isNumber && (format === 'date-time' || format === 'http-date')) return 'date';
  const inSeconds = unit !== '' || isUsual(said) || /\bseconds?\b/i.test(description);
  if (!inSeconds || /\bHTTP.?date\b/i.test(description)) return null;
  if (ofExample === 'decimal' || types.includes('number')) return 'decimal';
  return isNumber || ofExample === 'seconds' ? 'seconds' : null;
}

function formOfExample(text: string): RetryAfterForm | null {
  if (/^\d{1,9}$/.test(text)) return 'seconds';
  if (/^\d{1,9}\.\d{1,9}$/.test(text)) return 'decimal';
  return (['duration', 'date'] as const).find((form) => resetRules[form].read(text) !== null) ?? null;
}
