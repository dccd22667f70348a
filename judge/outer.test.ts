import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { type Group, groupsOf } from './entries.ts';
import { countedGroup, explainedByOuter, withOuter } from './outer.ts';
import { admitted, type Given, limited, times, traceOfDocument } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

/** Logins count in the limit of everything, too. */
const scopes = {
  login: { title: 'login', limit: 3, paths: ['/login'], within: 'all' },
  all: { title: 'all', limit: 5 },
};
const limits = { login: 3, all: 5 };

function traceOf(exchanges: readonly Exchange[], document: object = {}) {
  return traceOfDocument(exchanges, { headers: 'none', scopes, ...document }, { limits });
}

const of = (scope: string, path: string) => ({
  yes: (ms: number, given: Given = {}) => admitted(ms, ms + 5, { scope, path, ...given }),
  no: (ms: number, given: Given = {}) => limited(ms, ms + 5, { scope, path, ...given }),
});
const login = of('login', '/login');
const all = of('all', '/me');

function groupsIn(exchanges: readonly Exchange[]) {
  const trace = traceOf(exchanges);
  return withOuter(groupsOf(trace), trace.header);
}

describe('what a shared limit counts', () => {
  const sent = [login.yes(0), all.yes(100), login.no(200), all.no(300)];
  const groups = () => groupsIn(sent) as [Group, Group];

  it('is all that was sent, each refusal being of one limit or another', () => {
    const [ofLogin, ofAll] = groups();
    expect(ofLogin.outer).toMatchObject({ scope: 'all', key: 'A', limit: 5, windowMs: 60_000 });
    expect(ofLogin.outer?.entries).toHaveLength(4);
    expect(ofAll.outer).toBe(ofLogin.outer);
    const counted = countedGroup(ofAll);
    expect(counted.entries.map(({ exchange }) => exchange.outcome)).toEqual([
      ...['admitted', 'admitted', 'refused', 'limited'],
    ]);
    expect(counted.limited.map(({ exchange }) => exchange)).toEqual([sent[3]]);
    expect(countedGroup(ofLogin)).toBe(ofLogin);
  });

  it('explains the refusals of each scope', () => {
    const [ofLogin] = groups();
    const outcomes = explainedByOuter(ofLogin).explaining.map(({ exchange }) => exchange.outcome);
    expect(outcomes).toEqual(['admitted', 'admitted', 'limited', 'refused']);
  });

  it('is as old as the first request of any of them', () => {
    const [ofLogin, ofAll] = groups();
    // What was there before the run is forgotten a window after its first request.
    expect(ofAll.outer!.settledMs).toBe(ofLogin.settledMs);
    expect(ofAll.outer!.settledMs).toBe(ofAll.settledMs - 100);
  });

  it('is nothing of a scope that shares none', () => {
    const apart = { title: 'apart', limit: 7, paths: ['/apart'] };
    const trace = traceOfDocument(
      [...sent, admitted(400, 405, { scope: 'apart', path: '/apart' })],
      { headers: 'none', scopes: { ...scopes, apart } },
      { limits: { ...limits, apart: 7 } },
    );
    const shared = withOuter(groupsOf(trace), trace.header).map(({ outer }) => outer?.entries.length);
    expect(shared).toEqual([4, 4, undefined]);
  });

  it('is nothing where no scope lies within another', () => {
    const trace = traceOf(sent, {
      scopes: { login: { ...scopes.login, within: undefined }, all: scopes.all },
    });
    const alone = groupsOf(trace);
    expect(withOuter(alone, trace.header)).toBe(alone);
    expect(explainedByOuter(alone[0]!)).toBe(alone[0]);
  });
});

/** A window in which nothing from before the run is left. */
const calm = [login.yes(0), all.yes(10)];
const later = 130_000;

describe('a verdict', () => {
  it('on a refusal asks both limits, and blames the nearer one', () => {
    const full = [...calm, ...times(5, (at) => all.yes(later + 10 * at)), login.no(later + 100)];
    expect(verdictOn('limits.login', traceOf(full))?.kind).not.toBe('violated');
    const free = [...calm, ...times(2, (at) => login.yes(later + 10 * at)), login.no(later + 100)];
    expect(verdictOn('limits.login', traceOf(free))).toMatchObject({
      kind: 'violated',
      reason: 'wrongful-429',
    });
    expect(verdictOn('limits.all', traceOf(free))?.kind).not.toBe('violated');
  });

  it('on too much counts what other scopes were admitted', () => {
    const mixed = [
      ...calm,
      ...times(3, (at) => login.yes(later + 10 * at)),
      ...times(2, (at) => all.yes(later + 50 + at)),
    ];
    expect(verdictOn('limits.all', traceOf(mixed))?.kind).not.toBe('violated');
    const more = [...mixed, all.yes(later + 100)];
    expect(verdictOn('limits.all', traceOf(more))).toMatchObject({
      kind: 'violated',
      reason: 'over-admission',
    });
    expect(verdictOn('limits.login', traceOf(more))).toMatchObject({
      kind: 'inconclusive',
      because: ['limits.all'],
    });
  });

  it('on keys that are counted together counts those of a key that asked another scope alone', () => {
    const sent = [
      ...[login.yes(0), all.yes(10)],
      ...times(3, (at) => login.yes(later + 10 * at, { key: 'B' })),
      ...[all.yes(later + 100), all.yes(later + 110), all.no(later + 200)],
    ];
    const together = { countedBy: 'account' };
    expect(verdictOn('limits.all', traceOf(sent, together))?.kind).not.toBe('violated');
    expect(verdictOn('limits.all', traceOf(sent))?.kind).toBe('violated');
  });

  it('on a stated wait calls none too short after which another scope took what was free', () => {
    // Refusals contradict nothing else where an upper bound alone is promised.
    const bounds = Object.entries(scopes).map(([name, scope]) => [name, { ...scope, promise: 'at-most' }]);
    const document = { refusal: { waitSeconds: 70 }, scopes: Object.fromEntries(bounds) };
    const full = [...calm, ...times(5, (at) => all.yes(later + 10 * at)), login.no(later + 100)];
    const again = login.no(later + 75_000);
    expect(verdictOn('refusal.stated-wait-suffices', traceOf([...full, again], document))).toMatchObject({
      kind: 'violated',
    });
    const taken = [...full, ...times(5, (at) => all.yes(later + 70_000 + at)), again];
    expect(verdictOn('refusal.stated-wait-suffices', traceOf(taken, document))?.kind).not.toBe('violated');
  });

  it('on scopes that are counted apart counts each request once, with the outermost of its scopes', () => {
    const apart = { title: 'apart', limit: 5, paths: ['/apart'] };
    const kindOf = (logins: number) => {
      const sent = [
        ...times(logins, (at) => login.yes(10 * at)),
        ...[all.yes(100), all.yes(110), of('apart', '/apart').yes(200)],
      ];
      const document = { headers: 'none', scopes: { ...scopes, apart } };
      const trace = traceOfDocument(sent, document, { limits: { ...limits, apart: 5 } });
      return verdictOn('limits.per-scope', trace)?.kind;
    };
    // Six are more than any limit lets pass, five are not.
    expect([3, 2].map(kindOf)).toEqual(['held', 'inconclusive']);
  });

  it('on the header of the limit takes either, and no other', () => {
    const told = (limit: string) =>
      verdictOn('headers.limit', traceOf([login.yes(0, { limit })], { headers: 'x-ratelimit' }))?.kind;
    expect(['3', '5', '4'].map(told)).toEqual(['held', 'held', 'violated']);
    const ofAll = (limit: string) =>
      verdictOn('headers.limit', traceOf([all.yes(0, { limit })], { headers: 'x-ratelimit' }))?.kind;
    expect(['5', '3'].map(ofAll)).toEqual(['held', 'violated']);
  });
});
