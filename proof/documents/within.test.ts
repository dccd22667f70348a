import { describe, expect, it, test } from 'vitest';
import { documentSchema } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { findFault } from '../../service/faults.ts';
import { clausesWith, mustUnheld } from '../simulation/simulated-trace.ts';
import { playedDocument } from './played-document.ts';

/** Two scopes that count against a third one too, whose limit has no room for the probes of both, and one apart. */
function documentOf(outer: object, more: object = {}) {
  return documentSchema.parse({
    ...{ version: 1, title: 'app', windowSeconds: 60, headers: 'none', ...more },
    scopes: {
      login: { title: '/login', limit: 5, paths: ['/login'], within: 'all', request: { path: '/login' } },
      upload: {
        ...{ title: '/upload', limit: 12, windowSeconds: 30, promise: 'fixed', paths: ['/upload'] },
        ...{ within: 'all', request: { path: '/upload' } },
      },
      all: { title: 'all requests', limit: 120, request: { path: '/me' }, ...outer },
      apart: { title: '/apart', limit: 20, paths: ['/apart'], request: { path: '/apart' } },
    },
  });
}

type Played = Parameters<typeof playedDocument>[1];

function violatedIn(document: ReturnType<typeof documentOf>, played: Played): readonly string[] {
  return clausesWith(judgeTrace(playedDocument(document, played)), 'violated');
}

describe.each<readonly [string, ReturnType<typeof documentOf>]>([
  ['a rolling window', documentOf({})],
  ['windows that begin anew', documentOf({ promise: 'fixed' })],
  ['a token bucket', documentOf({ promise: 'token-bucket' })],
  ['a window beside a shorter one', documentOf({ also: [{ limit: 20, windowSeconds: 1 }] })],
  ['a rolling window for all keys together', documentOf({}, { countedBy: 'account' })],
])('limits that scopes share, %s', (_kind, document) => {
  it('are held where they are kept', () => {
    const kept = judgeTrace(playedDocument(document));
    expect(mustUnheld(document, kept)).toEqual([]);
    expect(clausesWith(kept, 'violated')).toEqual([]);
  });

  it('are violated where the scopes within take no places of them, and their own where they have none', () => {
    const by = (fault: string) => violatedIn(document, { faults: [findFault(fault)] });
    expect(by('outer-limit-apart')).toEqual(['limits.all']);
    expect(by('outer-limit-alone')).toEqual(['limits.login', 'limits.upload']);
  });

  it('are violated where one more passes, of each by itself', () => {
    expect(violatedIn(document, { limits: { all: 121 } })).toEqual(['limits.all']);
    expect(violatedIn(document, { limits: { login: 6 } })).toEqual(['limits.login']);
    expect(violatedIn(document, { limits: { upload: 13 } })).toEqual(['limits.upload']);
  });

  it('are violated where one less passes within', () => {
    expect(violatedIn(document, { limits: { login: 4 } })).toEqual(['limits.login']);
    expect(violatedIn(document, { limits: { upload: 11 } })).toEqual(['limits.upload']);
  });
});

test.each([
  ['a rolling window', documentOf({})],
  ['windows that begin anew', documentOf({ promise: 'fixed' })],
])('one less than a shared limit, %s, is found by the requests of all that share it', (_kind, document) => {
  expect(violatedIn(document, { limits: { all: 119 } })).toEqual(['limits.all']);
});

test('a limit within another one that keeps it from being reached is not asked for', () => {
  const document = documentOf({ limit: 4 });
  const judgement = judgeTrace(playedDocument(document));
  expect(clausesWith(judgement, 'violated')).toEqual([]);
  expect(judgement.clauses.find(({ clause }) => clause === 'limits.login')?.verdict).toMatchObject({
    kind: 'not-applicable',
    reason: expect.stringContaining('limits.all keeps it from being reached'),
  });
});
