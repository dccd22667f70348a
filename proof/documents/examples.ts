import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fitOf } from '../../contract/body-schema/misfit.ts';
import { askedSchemaOf } from '../../contract/body-schema/read-schema.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { isCosting } from '../../contract/document/cost.ts';
import {
  type Document,
  furtherIn,
  hasCosts,
  limitedStatusesOf,
  promiseIn,
  scopesOf,
} from '../../contract/document/document.ts';
import { probedWindowMsMax } from '../../contract/document/further-limit.ts';
import type { PromiseKind } from '../../contract/document/promise.ts';
import { promisesJson } from '../../contract/document/refusal.ts';
import { promisedBody, waitsOf } from '../../contract/document/refusal-body.ts';
import { retryAfterOf } from '../../contract/document/retry-after.ts';
import { arePromisedOnRefusals } from '../../contract/document/scope-headers.ts';
import { innerOf, outerOf } from '../../contract/document/within.ts';
import { valueAt } from '../../contract/json-pointer.ts';
import type { Scope } from '../../contract/scopes.ts';
import { waitRules, waitUnitOf } from '../../contract/wait-units.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { numbersAsTexts, withMember } from '../../service/faults/refusals.ts';

const folder = join(import.meta.dirname, '../../documents/examples');

export type Example = { readonly file: string; readonly document: Document };

/** The documents of `documents/examples`, by their file. */
export async function readExamples(): Promise<readonly Example[]> {
  const files = (await readdir(folder)).toSorted();
  return Promise.all(files.map(async (file) => ({ file, document: await loadDocument(file, folder) })));
}

/** A fault of the reference service, and what it violates in a document: where a limit is wrong, that of each scope. */
type Broken = { readonly fault: string; readonly violates: (document: Document) => readonly string[] };

const faults: readonly Broken[] = [
  { fault: 'costs-uncounted', violates: whereCosting },
  { fault: 'costs-twice', violates: whereCosting },
  { fault: 'costs-overdrawn', violates: whereCosting },
  {
    fault: 'remaining-by-requests',
    violates: (document) => (hasCosts(document) ? ['headers.remaining'] : []),
  },
  { fault: 'methods-ignored', violates: asReads },
  { fault: 'outer-limit-apart', violates: ofOuter },
  { fault: 'outer-limit-alone', violates: ofInner },
  {
    fault: 'outer-remaining-alone',
    violates: (document) => (ofOuter(document).length > 0 ? ['headers.remaining'] : []),
  },
  { fault: 'window-per-path', violates: whereSeveralPaths },
  { fault: 'limit-plus-one', violates: limitsBut('at-least') },
  { fault: 'check-then-add', violates: unlessShutOut(limitsBut('at-least')) },
  { fault: 'fixed-window-first-request', violates: () => ['window.rolling'] },
  { fault: 'window-long', violates: () => ['window.length'] },
  { fault: 'limit-minus-one', violates: unlessLonger(limitsBut('at-most')) },
  { fault: 'unlimited', violates: limitsBut('at-least') },
  { fault: 'two-bucket', violates: () => ['window.rolling'] },
  { fault: 'window-short', violates: () => ['window.length'] },
  { fault: 'remaining-low-by-one', violates: unlessLonger(() => ['headers.remaining']) },
  { fault: 'remaining-zero', violates: unlessLonger(() => ['headers.remaining']) },
  { fault: 'reset-as-delta', violates: () => ['headers.reset'] },
  { fault: 'limit-header-off-by-one', violates: () => ['headers.limit'] },
  { fault: 'headers-missing-on-429', violates: wherePromisedOnRefusals },
  { fault: 'retry-after-floored', violates: ofOneLimitEach('error.retry-after-suffices') },
  { fault: 'body-flat', violates: () => ['error.shape', 'error.other-shape'] },
  { fault: 'refusal-status-429', violates: statusUnlessTaken },
  { fault: 'refusal-html', violates: bodyWord },
  { fault: 'refusal-body-empty', violates: otherBody(() => ({})) },
  { fault: 'refusal-body-numbers-as-texts', violates: otherBody(numbersAsTexts) },
  { fault: 'refusal-body-more', violates: otherBody(withMember) },
  { fault: 'refusal-retry-after-absent', violates: () => ['refusal.retry-after'] },
  { fault: 'refusal-retry-after-zero', violates: () => ['refusal.retry-after'] },
  { fault: 'refusal-retry-after-one-second', violates: waitsInVain },
  { fault: 'refusal-retry-after-in-milliseconds', violates: unlessInMilliseconds },
  { fault: 'refusal-retry-after-as-moment', violates: () => ['refusal.retry-after'] },
  { fault: 'refusal-reset-too-soon', violates: ofOneLimitEach('refusal.reset-suffices') },
  { fault: 'refusal-wait-one-second', violates: () => ['refusal.wait-suffices'] },
  { fault: 'refusal-wait-in-milliseconds', violates: () => ['refusal.wait'] },
  { fault: 'blocked-for-five-windows', violates: () => ['refusal.stated-wait-suffices'] },
];

/** The limits of the scopes whose requests cost more than 1. */
function whereCosting(document: Document): readonly string[] {
  return Object.entries(document.scopes).flatMap(([scope, said]) =>
    isCosting(said) ? [`limits.${scope}`] : [],
  );
}

/** What all requests are counted as that are told from others by their methods: the scope of a GET takes what is not its own. */
function asReads({ scopes }: Document): readonly string[] {
  const reads = Object.entries(scopes).filter(([, { methods }]) => methods?.includes('GET') === true);
  return reads.flatMap(([scope]) => [`limits.${scope}`, 'window.rolling', 'headers.limit']);
}

/** The limits of the scopes within which others lie. */
function ofOuter(document: Document): readonly string[] {
  const isOuter = (scope: Scope): boolean => innerOf(document, scope).length > 0;
  return scopesOf(document).flatMap((scope) => (isOuter(scope) ? [`limits.${scope}`] : []));
}

function ofInner(document: Document): readonly string[] {
  const isInner = (scope: Scope): boolean => outerOf(document, scope) !== null;
  return scopesOf(document).flatMap((scope) => (isInner(scope) ? [`limits.${scope}`] : []));
}

/** The limits of the scopes in which a run asks at several paths. */
function whereSeveralPaths({ scopes }: Document): readonly string[] {
  return Object.entries(scopes).flatMap(([scope, { others }]) =>
    others === undefined ? [] : [`limits.${scope}`],
  );
}

/** What tells a refusal by another status from another layer's answer is its body alone then. */
function wherePromisedOnRefusals(document: Document): readonly string[] {
  const { refusal, errors } = document;
  const { body } = refusal ?? {};
  const isTold =
    body === undefined
      ? errors === 'success-false'
      : Object.values(body).some((value) => typeof value === 'string');
  const isUsual = limitedStatusesOf(document).every((status) => status === 429);
  return arePromisedOnRefusals(document) && (isUsual || isTold) ? ['headers.present'] : [];
}

/** A 429 is another status where the document does not name it; that it is about the limit, only a promised body tells. */
function statusUnlessTaken(document: Document): readonly string[] {
  const isOther = !limitedStatusesOf(document).includes(429) && document.refusal?.body !== undefined;
  return isOther ? ['error.status'] : [];
}

/** What is no JSON is told once: by the values that are promised, or else by the schema. */
function bodyWord({ refusal }: Document): readonly string[] {
  return [refusal?.body === undefined ? 'refusal.body-schema' : 'refusal.body'];
}

/** What another body than that of the reference service breaks; a wait is looked at only where nothing else is broken. */
function otherBody(change: (body: unknown) => unknown): Broken['violates'] {
  return (document) => {
    const { refusal } = document;
    if (refusal === undefined || !promisesJson(refusal)) return [];
    const { body: values = {}, bodySchema, retryAfterPointer } = refusal;
    const made = promisedBody(refusal, waitsOf(document));
    const body = made.kind === 'made' ? change(made.body(1)) : {};
    const clauses = [
      ...(Object.entries(values).some(([at, value]) => valueAt(at, body) !== value) ? ['refusal.body'] : []),
      ...(bodySchema !== undefined && fitOf(body, askedSchemaOf(bodySchema)).kind === 'misfit'
        ? ['refusal.body-schema']
        : []),
    ];
    const { write } = waitRules[waitUnitOf(refusal)];
    const isWaitLost = retryAfterPointer !== undefined && valueAt(retryAfterPointer, body) !== write(1);
    return clauses.length === 0 && isWaitLost ? ['refusal.wait'] : clauses;
  };
}

/** A number is no date. */
function waitsInVain({ refusal }: Document): readonly string[] {
  return [retryAfterOf(refusal)?.form === 'date' ? 'refusal.retry-after' : 'refusal.retry-after-suffices'];
}

function unlessInMilliseconds({ refusal }: Document): readonly string[] {
  return retryAfterOf(refusal)?.form === 'ms' ? [] : ['refusal.retry-after'];
}

/** The limits of a document but those that such a fault keeps. */
function limitsBut(kept: PromiseKind): Broken['violates'] {
  return (document) =>
    scopesOf(document)
      .filter((scope) => promiseIn(document, scope).kind !== kept)
      .map((scope) => `limits.${scope}`);
}

/** Who is refused is not served again until it has been silent, so no run sends many requests at once while places are free. */
function unlessShutOut(violates: Broken['violates']): Broken['violates'] {
  return (document) => (document.refusal?.waitSeconds === undefined ? violates(document) : []);
}

/** A limit of a day may explain a 429 that comes too early, and what is left too, by use of the key before the run. */
function unlessLonger(violates: Broken['violates']): Broken['violates'] {
  const isLonger = (document: Document): boolean =>
    scopesOf(document).some((scope) =>
      furtherIn(document, scope).some(({ seconds }) => seconds * 1_000 > probedWindowMsMax),
    );
  return (document) => (isLonger(document) ? [] : violates(document));
}

/** Of several limits one may say when its own place is back, and another one refuse then. */
function ofOneLimitEach(clause: string): Broken['violates'] {
  return (document) =>
    scopesOf(document).some((scope) => promiseIn(document, scope).kind === 'several') ? [] : [clause];
}

/** The faults that break what a document promises, and the clauses that say so; those that any document tells first. */
export function faultsOf(
  document: Document,
): readonly { readonly fault: string; readonly clauses: readonly string[] }[] {
  return faults
    .map(({ fault, violates }) => ({ fault, clauses: violates(document) }))
    .filter(
      ({ clauses }) => clauses.length > 0 && clauses.every((id) => clauseIn(document, id) !== undefined),
    );
}
