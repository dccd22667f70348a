import { expect, test } from 'vitest';
import { deploymentSchema } from '../contract/deployment.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import type { Exchange } from '../contract/exchange.ts';
import { documentedLimits } from '../contract/scopes.ts';
import { openingStep } from './opening.ts';
import { preflightFault, targetLost } from './preflight-fault.ts';

const deployment = deploymentSchema.parse({
  baseUrls: ['http://127.0.0.1:1'],
  keyEnv: ['KEY_A', 'KEY_B'],
  requests: { standard: { path: '/a' }, messages: { path: '/b' }, media: { path: '/c' } },
});

const reset = 'connection reset (ECONNRESET)';
const late = 'no answer within 10 s';
const refused = 'connection refused (ECONNREFUSED)';

/** Preflight requests in their order: each was answered 200, or has no answer for this reason. */
function opening(...answers: readonly (number | string)[]): readonly Exchange[] {
  return answers.map((answer, index) => ({
    kind: 'exchange',
    index,
    driver: 'undici',
    clock: 'client',
    scope: 'standard',
    route: 'main',
    key: 'A',
    credential: 'valid',
    node: 0,
    purpose: 'preflight',
    requestId: `test-${index}`,
    method: 'GET',
    path: '/v1/status',
    sentMs: index * 10,
    receivedMs: answer === 200 ? index * 10 + 5 : null,
    wallSentMs: null,
    wallReceivedMs: null,
    status: answer === 200 ? 200 : null,
    headers: { limit: '120', remaining: '119', reset: '60' },
    retryAfter: null,
    date: null,
    contentType: 'application/json',
    body: null,
    failure: typeof answer === 'string' ? answer : null,
    outcome: answer === 200 ? 'admitted' : 'indeterminate',
  }));
}

test.each([
  ['one answer is lost on the way', [reset]],
  ['one comes too late', [200, late, 200]],
  ['two are lost, with an answer between them', [late, 200, reset, 200]],
  ['two in a row come too late', [200, late, late, 200]],
  ['four in a row break', [reset, reset, reset, reset, 200]],
])('the run goes on where %s', (_what, answers) => {
  expect(preflightFault(opening(...answers), deployment)).toBeNull();
});

test.each([
  ['three in a row come too late', [200, late, late, late], 'unreachable', late],
  ['five in a row are lost', [200, late, reset, reset, reset, reset], 'unreachable', reset],
  ['nothing listens there', [refused], 'unreachable', refused],
  [
    'something else than HTTP listens there',
    ['the answer is not HTTP (HPE_INVALID_CONSTANT)'],
    'not-http',
    'HPE',
  ],
])('the run ends where %s', (_what, answers, kind, reason) => {
  expect(preflightFault(opening(...answers), deployment)).toMatchObject({
    kind,
    reason: expect.stringContaining(reason),
  });
});

test.each([
  [
    'the certificate is signed by itself; --ca FILE names the authority to trust (DEPTH_ZERO_SELF_SIGNED_CERT)',
    '',
  ],
  ['the certificate of the service has expired (CERT_HAS_EXPIRED)', ''],
  ['the certificate is for another host: give --url with its name (ERR_TLS_CERT_ALTNAME_INVALID)', ''],
  ['the proxy http://p:1 cannot be reached: go without it: --proxy none (PROXY_UNREACHABLE)', ''],
  ['the TLS handshake failed (EPROTO)', ' Check the address and whether the service is running.'],
  [refused, ' Check the address and whether the service is running.'],
])('what says itself what to do is said alone: %s', (failure, more) => {
  expect(preflightFault(opening(failure), deployment)?.reason).toBe(
    `GET http://127.0.0.1:1/v1/status: ${failure}.${more}`,
  );
});

test.each([
  [502, 'check whether it is running.'],
  [503, 'check whether it is running.'],
  [504, 'check whether it is running.'],
  [404, 'Check the base URL and requests.standard in the settings.'],
])('a status of %d says what to look at', (status, advice) => {
  const answers = opening(200).map((answer) => ({ ...answer, status, outcome: 'refused' as const }));
  expect(preflightFault(answers, deployment)?.reason).toMatch(new RegExp(`answered ${status}.*${advice}$`));
});

test('an address with a path of its own is named once', () => {
  const below = deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1/api/v2/'], keyEnv: ['KEY_A'] });
  const [asked] = opening(refused);
  const answers = [{ ...(asked as Exchange), path: '/api/v2/items' }];
  expect(preflightFault(answers, below)?.reason).toContain(
    `GET http://127.0.0.1:1/api/v2/items: ${refused}. `,
  );
});

test('the one request of a run with one key and one scope is sent again where its answer was lost', () => {
  const one = deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A'],
    requests: { standard: { path: '/v1/status' } },
    probeWithoutKey: false,
  });
  const start = {
    deployment: one,
    limits: documentedLimits,
    windowMs: 60_000,
    mode: 'full',
    keys: ['A'],
  } as const;
  expect(openingStep(start, opening(late), 10_100)).toMatchObject({ kind: 'send', purpose: 'preflight' });
  expect(openingStep(start, opening(late, 200), 10_200)).toEqual({ kind: 'done' });
});

test('where no key is sent, a 401 asks for one', () => {
  const document = { ...messagingDocument, keys: 'none', countedBy: 'address' };
  const keyless = deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], document });
  const refusedBy = (status: number) =>
    opening(200).map((answer) => ({ ...answer, status, outcome: 'refused' as const }));
  expect(preflightFault(refusedBy(401), keyless)).toMatchObject({
    kind: 'key-rejected',
    reason: expect.stringMatching(/answered 401\. No key was sent: .*--key-env.*\{ header: X-Api-Key \}/),
  });
  expect(preflightFault(refusedBy(403), keyless)).toMatchObject({ kind: 'key-rejected' });
  expect(preflightFault(opening(200), keyless)).toBeNull();
});

test.each([
  [400, true],
  [401, true],
  [404, false],
  [405, false],
  [500, false],
])('an answer of %i may be how a request is answered that passes: %s', (status, mayBe) => {
  const answers = opening(200).map((answer) => ({ ...answer, status, outcome: 'refused' as const }));
  const { reason = '' } = preflightFault(answers, deployment) ?? {};
  const advice = `If such a request is counted all the same, add answered: ${status} to it.`;
  expect(reason.endsWith(advice)).toBe(mayBe);
});

test('where a scope is said to need no key, a 401 there is not the key’s', () => {
  const { scopes } = messagingDocument;
  const standard = { ...scopes.standard, countedBy: 'address', keys: 'none' } as const;
  const document = { ...messagingDocument, scopes: { ...scopes, standard } };
  const open = deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['KEY_A'], document });
  const [first] = opening(200);
  const refused = { ...first!, status: 401, outcome: 'refused' as const };
  const reasonAt = (scope: string) => preflightFault([{ ...refused, scope }], open);
  expect(reasonAt('standard')).toMatchObject({
    reason: expect.stringContaining(
      'No key was sent, as the document says of standard: if the API needs one there',
    ),
  });
  expect(reasonAt('messages')).toMatchObject({ reason: expect.stringContaining('to key A') });
});

test('a run that opens with two requests ends where both are lost', () => {
  const few = deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A', 'KEY_B'],
    requests: { standard: { path: '/a' } },
  });
  expect(preflightFault(opening(reset, reset), few)).toMatchObject({ kind: 'unreachable' });
});

test('a target that is lost is so for what it did, not for what was given up then', () => {
  const { reason } = targetLost(deployment, opening(200, 200, refused, refused, 'the run was interrupted'));
  expect(reason).toBe(
    `http://127.0.0.1:1 stopped answering after 2 answers: ${refused}. Check whether the service is still running, then run again.`,
  );
});
