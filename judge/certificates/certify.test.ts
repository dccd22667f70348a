import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { type DocumentInput, documentSchema } from '../../contract/document/document.ts';
import type { ClauseJudgement } from '../../contract/judgement.ts';
import { held, violated } from '../../contract/verdict.ts';
import { caseOf } from '../case.ts';
import { admitted, times, traceOf } from '../testing/traces.ts';
import { certificatesOf, isCertifiable } from './certify.ts';

const exchanges = times(4, (at) => admitted(100 * at, 100 * at + 5, { limit: at === 0 ? '30' : '31' }));
const subject = caseOf(traceOf(exchanges));
const [right, ...wrong] = exchanges.map(({ requestId }) => requestId);

/** The requests that the certificate of a claim names; `null` where there is none. */
function named(clause: string, reason: string, shown: readonly (string | undefined)[] = []) {
  const quoted = shown.map((requestId) => ({ requestId }) as never);
  const evidence = { expected: '', observed: '', exchanges: quoted, exchangesTotal: shown.length };
  const claim: ClauseJudgement = { clause, verdict: violated(reason, evidence) };
  const [certificate] = certificatesOf(subject, { clauses: [claim] });
  return certificate?.exchanges.map(({ exchange }) => exchange.requestId) ?? null;
}

describe('a claim about one answer', () => {
  it('is proved by the answer that the verdict shows, or else by the first', () => {
    expect(named('headers.limit', 'wrong-limit', [wrong[1]])).toEqual([wrong[1]]);
    expect(named('headers.limit', 'wrong-limit', [right, wrong[2]])).toEqual([wrong[2]]);
    expect(named('headers.limit', 'wrong-limit', [right])).toEqual([wrong[0]]);
    expect(named('headers.limit', 'wrong-limit')).toEqual([wrong[0]]);
  });
});

describe('no certificate', () => {
  it.each([
    ['headers.limit', 'not-an-integer'],
    ['headers.limit', 'too-high'],
    ['limits.standard', 'over-admission'],
    ['limits.standard', 'wrongful-429'],
    ['limits.standard', 'of a reason that nobody knows'],
    ['limits.rejections-count', 'over-admission'],
    ['no such clause', 'wrong-limit'],
    ['headers.reset', 'past'],
  ])('has what is claimed of %s without a proof: %s', (clause, reason) => {
    expect(named(clause, reason)).toBeNull();
  });

  it('has what is no violation', () => {
    expect(certificatesOf(subject, { clauses: [{ clause: 'headers.limit', verdict: held('a') }] })).toEqual(
      [],
    );
  });
});

describe('the rules of certificates', () => {
  const search = { title: 'on searches', limit: 20 };
  const one: DocumentInput = { version: 1, title: 'Search', windowSeconds: 60, scopes: { search } };
  const bucket = 'token-bucket';
  const beside = (said: NonNullable<DocumentInput['headers']>): DocumentInput => ({
    ...one,
    scopes: {
      search: { ...search, paths: ['/search'] },
      rest: { title: 'the rest', limit: 30, headers: said },
    },
  });
  const documents: Readonly<Record<string, DocumentInput>> = {
    one,
    ietf: { ...one, headers: 'ietf' },
    triple: { ...one, headers: 'ietf-triple' },
    named: { ...one, headers: { limit: 'X-Limit' } },
    headerless: { ...one, headers: 'none' },
    refusing: { ...one, refusal: { status: 503 } },
    bodied: { ...one, errors: 'none', refusal: { status: 429, body: { '/code': 'slow-down' } } },
    bucket: { ...one, scopes: { search: { ...search, promise: bucket } } },
    'partly listed': beside({ limit: { name: 'X-Limit', as: 'list' } }),
    'partly named': beside({ limit: 'X-Limit' }),
    'partly headerless': beside('none'),
  };
  const [counts, headers] = [['limits.search', 'load.shared', 'headers.remaining'], ['headers.limit']];
  const status = ['error.status'];

  it.each([
    ['one', [...counts, ...headers, ...status]],
    ['ietf', []],
    ['triple', []],
    ['named', ['limits.search', 'load.shared', ...status]],
    ['headerless', [...counts, ...headers, ...status]],
    ['refusing', [...counts, ...headers, ...status]],
    ['bodied', [...counts, ...headers]],
    ['bucket', [...headers, ...status]],
    ['partly listed', []],
    ['partly named', ['limits.search', 'load.shared', ...status]],
    ['partly headerless', ['limits.search', 'load.shared', ...status]],
  ])('of the document called %s are about %j', (name, clauses) => {
    const document = documentSchema.parse(documents[name]);
    const asked = [...counts, ...headers, ...status, 'refusal.body'];
    expect(
      asked.filter((clause) => isCertifiable({ document, requests: {}, otherMethods: {} }, clause)),
    ).toEqual(clauses);
  });

  it('are about none where any request that passes is answered other than by 2xx', () => {
    const rest = { title: 'the rest', limit: 30 };
    const document = documentSchema.parse({
      ...one,
      scopes: { search: { ...search, paths: ['/search'] }, rest },
    });
    const isAsked = (answered?: number): boolean => {
      const deployment = { baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'], document };
      const requests = { rest: { path: '/' }, search: { path: '/search', answered } };
      const read = deploymentSchema.parse({ ...deployment, requests });
      return isCertifiable(read, 'limits.search');
    };
    expect([isAsked(), isAsked(401)]).toEqual([true, false]);
  });

  it('are asked of no other clause', () => {
    const { header } = subject.trace;
    const deployment = { ...header.deployment, document: documentSchema.parse(documents['ietf']) };
    const other = { ...subject, trace: { ...subject.trace, header: { ...header, deployment } } };
    const evidence = { expected: '', observed: '', exchanges: [], exchangesTotal: 0 };
    const claim = { clause: 'headers.limit', verdict: violated('wrong-limit', evidence) } as const;
    expect(certificatesOf(subject, { clauses: [claim] })).toHaveLength(1);
    expect(certificatesOf(other, { clauses: [claim] })).toEqual([]);
  });
});
