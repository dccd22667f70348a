import { expect, it } from 'vitest';
import { refusalClausesOf } from '../contract/clauses/refusal.ts';
import { clauses } from '../contract/clauses/registry.ts';
import { clientClauses } from '../contract/clients/clauses.ts';
import { documentSchema } from '../contract/document/document.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import { webhookClauses } from '../contract/webhooks/clauses.ts';
import type { ClauseResult } from './clause-result.ts';
import { failureText } from './failure-text.ts';

const all: readonly Pick<ClauseResult, 'id' | 'section' | 'level' | 'title' | 'requirement'>[] = [
  ...clauses,
  ...webhookClauses,
  ...clientClauses,
  // A document may promise bodies of refusals, of which the messaging document says nothing.
  ...refusalClausesOf(
    { headers: 'none', scopes: {}, refusal: { status: 429, body: { '/code': 'slow' }, bodySchema: {} } },
    [],
  ),
];

function violatedFor(id: string, reason: string): ClauseResult {
  const clause = all.find((one) => one.id === id);
  if (clause === undefined) throw new Error(`there is no clause ${id}`);
  const evidence = { expected: '', observed: '', exchanges: [], exchangesTotal: 0 };
  return { ...clause, verdict: { kind: 'violated', reason, evidence } };
}

it.each([
  ['limits.media', 'wrongful-429', 'Requests are refused below the limit'],
  ['load.nodes', 'counted-per-node', 'Each node counts for itself'],
  ['window.length', 'too-long', 'The window is too long'],
  ['error.retry-after', 'too-long', 'retry_after_seconds cannot be used as a wait'],
  ['headers.reset', 'milliseconds', 'X-RateLimit-Reset is in milliseconds'],
  ['headers.reset', 'past', 'X-RateLimit-Reset is no possible time of a reset'],
  ['webhook.numbers', 'number-form', 'A phone number has characters that are no digits'],
  ['client.jitter', 'no-jitter', 'The client waits without jitter'],
  ['limits.media', 'a reason of a later version', 'Not kept: 30 a minute on media uploads'],
])('%s, %s: %s', (id, reason, title) => {
  expect(failureText(violatedFor(id, reason), null).title).toBe(title);
});

/** Every reason of a clause about how many requests pass, as docs/verdicts.md lists them. */
const reasonsOfLimits = [
  'over-admission',
  'wrongful-429',
  'early-return',
  'late-return',
  'too-short',
  'too-long',
  'whole-seconds',
  'one-window-for-scopes',
  'one-window-for-keys',
  'counted-apart',
  'counted-per-node',
  'refused-while-remaining',
];

const failures = all
  .filter(({ level }) => level !== 'observe')
  .flatMap(({ id }): [string, string][] =>
    /^(limits|window|load)\./.test(id) ? reasonsOfLimits.map((reason) => [id, reason]) : [[id, 'any']],
  );

it.each(failures)('%s, %s: the breach, its consequence and its fix are said', (id, reason) => {
  const { title, consequence, fix } = failureText(violatedFor(id, reason), null);
  expect(title).not.toMatch(/^Not kept/);
  // One sentence each: the fix may have another for a library that many use.
  expect(consequence).toMatch(/^[A-Z][\s\S]*\.$/);
  expect(fix).toMatch(/^[A-Z][\s\S]*[.}]\.?$/);
});

it('says what to change in a library that many deployments use', () => {
  for (const reason of ['early-return', 'counted-per-node'])
    expect(failureText(violatedFor('window.rolling', reason), null).fix).toContain('express-rate-limit');
});

const otherDocument = documentSchema.parse({
  ...messagingDocument,
  headers: { remaining: 'X-Calls-Left', reset: { name: 'X-Calls-Again', unit: 'seconds' } },
  refusal: { status: 503 },
});

it.each([
  ['headers.remaining', 'too-high', 'X-Calls-Left is too high'],
  ['headers.remaining-on-429', 'any', 'X-Calls-Left is not 0 on a 503'],
  ['headers.reset', 'past', 'X-Calls-Again is no possible time of a reset'],
])('%s, %s: in the names and with the status of another document', (id, reason, title) => {
  expect(failureText(violatedFor(id, reason), otherDocument).title).toBe(title);
});

it('names the headers of the scope that shows it, and of all where several do', () => {
  const { scopes, ...said } = messagingDocument;
  const media = { ...scopes['media'], headers: { remaining: 'X-Media-Left' } };
  const document = documentSchema.parse({ ...said, scopes: { ...scopes, media } });
  const titleWhere = (...shown: readonly string[]) => {
    const result = violatedFor('headers.remaining', 'too-high');
    const exchanges = shown.map((scope) => ({ scope }));
    const verdict = {
      ...result.verdict,
      evidence: { expected: '', observed: '', exchanges, exchangesTotal: 2 },
    };
    return failureText({ ...result, verdict } as unknown as ClauseResult, document).title;
  };
  expect(titleWhere('media', 'media')).toBe('X-Media-Left is too high');
  expect(titleWhere('standard')).toBe('X-RateLimit-Remaining is too high');
  expect(titleWhere('standard', 'media')).toBe('X-RateLimit-Remaining or X-Media-Left is too high');
});

it('asks for the reset in the unit that a document has', () => {
  const fixBy = (document: typeof otherDocument) =>
    failureText(violatedFor('headers.reset', 'past'), document).fix;
  expect(fixBy(otherDocument)).toBe('Send when the window resets, as seconds to go.');
  expect(fixBy(messagingDocument)).toBe('Send the Unix time, in seconds, at which the window resets.');
});

it('says of the messaging document what it says without one', () => {
  for (const { id } of clauses)
    expect(failureText(violatedFor(id, 'any'), messagingDocument)).toEqual(
      failureText(violatedFor(id, 'any'), null),
    );
});

it('of a limit that is no rolling window names all that may be wrong', () => {
  const { scopes } = messagingDocument;
  const standard = { ...scopes['standard'], promise: 'fixed' };
  const fixed = documentSchema.parse({ ...messagingDocument, scopes: { ...scopes, standard } });
  const fixOf = (id: string, reason: string, document = fixed) =>
    failureText(violatedFor(id, reason), document).fix;
  for (const reason of ['over-admission', 'wrongful-429'])
    expect(fixOf('limits.standard', reason)).toContain('how long a window is and how it begins');
  for (const id of ['limits.messages', 'limits.per-key'])
    expect(fixOf(id, 'over-admission')).toBe(fixOf(id, 'over-admission', messagingDocument));
});

it('tells keys that are counted apart from paths that are', () => {
  const shared = failureText({ ...violatedFor('limits.media', 'counted-apart'), id: 'limits.shared' }, null);
  expect(shared.title).toBe('Each key has a count of its own');
  const paths = failureText(violatedFor('limits.messages-subpaths', 'counted-apart'), null);
  expect(paths.title).toContain('/v1/messages');
});
