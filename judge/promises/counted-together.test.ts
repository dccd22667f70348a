import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { admitted, type Given, limited, times, traceOfDocument } from '../testing/traces.ts';
import { verdictOn } from '../testing/verdicts.ts';

const ofB: Given = { key: 'B' };

/** Of two keys of one account, by which 4 media uploads in a minute are counted. */
function verdict(exchanges: readonly Exchange[], also: readonly object[] = []) {
  const scopes = {
    media: { title: 'media', limit: 4, ...(also.length === 0 ? {} : { also }) },
    notes: { title: 'notes', limit: 4, paths: ['/notes'] },
  };
  const trace = traceOfDocument(
    exchanges,
    { scopes, countedBy: 'account' },
    { limits: { media: 4, notes: 4 } },
  );
  return verdictOn('limits.shared', trace);
}

const many = (count: number, ms: number, given: Given = {}) =>
  times(count, (at) => admitted(ms + at, ms + at, given));

/** The run has gone on for a while: nobody who used the keys before it explains a 429. */
const begun = [admitted(0, 0), admitted(1, 1, ofB)];

describe('keys that one limit counts together', () => {
  it('are shown to be by a 429 that the requests with the other one explain', () => {
    const explained = (...own: readonly Exchange[]) =>
      verdict([...begun, ...own, ...many(4, 200_000, ofB), limited(205_000, 205_000)]);
    expect(explained()).toEqual({
      kind: 'held',
      summary:
        'a 429 for key A at media, where only 1 request with it was admitted in all, is explained by those with the other',
    });
    expect(explained(admitted(100_000, 100_000))).toMatchObject({
      summary: expect.stringContaining('where only 2 requests with it were admitted in all'),
    });
  });

  it('are shown to be counted apart by more than the limit together, where each alone keeps it', () => {
    const apart = verdict([...begun, ...many(3, 200_000), ...many(3, 200_010, ofB)]);
    expect(apart).toMatchObject({ kind: 'violated', reason: 'counted-apart' });
    if (apart?.kind !== 'violated') throw new Error('not violated');
    expect(apart.evidence.observed).toMatch(/; each of the keys alone keeps the limit$/);
    expect(apart.evidence.exchangesTotal).toBe(5);
  });

  it('are not judged where one key alone exceeds the limit', () => {
    expect(verdict([...begun, ...many(5, 200_000), ...many(3, 200_010, ofB)])).toMatchObject({
      kind: 'inconclusive',
      reason: 'no 429 shows that one key took what another one was refused',
    });
  });

  it('are not judged where a further limit is the one that is wrong by both together', () => {
    const spread = [
      ...begun,
      ...times(4, (at) => admitted(700_000 + 70_000 * at, 700_000 + 70_000 * at, ofB)),
    ];
    const also = [{ limit: 5, windowSeconds: 600 }];
    expect(verdict([...spread, limited(1_000_000, 1_000_000)], also)).toMatchObject({
      kind: 'inconclusive',
      reason: 'not judged: limits.media.600s is violated',
    });
  });

  it('are not judged where a 429 is wrongful by both together', () => {
    expect(verdict([...begun, ...many(2, 200_000, ofB), limited(205_000, 205_000)])).toMatchObject({
      kind: 'inconclusive',
      reason: 'not judged: limits.media is violated',
    });
  });

  it('are counted by scope', () => {
    const notes: Given = { scope: 'notes', limit: '4' };
    const apart = [...many(2, 200_000), ...many(2, 200_010, { ...notes, ...ofB })];
    expect(verdict([...begun, ...apart])).toMatchObject({
      kind: 'inconclusive',
      reason: 'no 429 shows that one key took what another one was refused',
    });
    expect(verdict([...begun, ...many(3, 200_000), ...many(3, 200_010, { ...notes, ...ofB })])?.kind).toBe(
      'inconclusive',
    );
  });

  it('are those of the scopes that count so, by an account or by an address', () => {
    const notes: Given = { scope: 'notes', limit: '4' };
    const violatedIn = (by: object, exchanges: readonly Exchange[]) => {
      const scopes = {
        media: { title: 'media', limit: 4, countedBy: 'account' },
        notes: { title: 'notes', limit: 4, paths: ['/notes'], ...by },
      };
      const trace = traceOfDocument(exchanges, { scopes }, { limits: { media: 4, notes: 4 } });
      const clauses = ['limits.shared', 'limits.per-key', 'limits.media', 'limits.notes'];
      return clauses.map((clause) => verdictOn(clause, trace)?.kind);
    };
    const first = [...begun, admitted(2, 2, notes), admitted(3, 3, { ...notes, ...ofB })];
    const apart = [...first, ...many(4, 200_000), ...many(3, 200_010, ofB)];
    // Keys of one account are counted apart: of those that come from one address, nothing follows.
    const refused = [...apart, ...many(4, 200_020, notes), limited(205_000, 205_000, { ...notes, ...ofB })];
    expect(violatedIn({ countedBy: 'address' }, refused)).toEqual([
      ...['violated', undefined, 'inconclusive', 'inconclusive'],
    ]);
    expect(violatedIn({}, apart)).toEqual(['violated', 'inconclusive', 'inconclusive', 'inconclusive']);
    expect(violatedIn({}, refused)).toEqual(['violated', 'violated', 'inconclusive', 'inconclusive']);
  });

  it('are not where requests carry no key, whoever is said to have sent them', () => {
    const open = { title: 'notes', limit: 4, paths: ['/notes'], countedBy: 'address', keys: 'none' };
    const scopes = { media: { title: 'media', limit: 4, countedBy: 'address' }, notes: open };
    const kinds = (exchanges: readonly Exchange[]) => {
      const trace = traceOfDocument(
        exchanges,
        { scopes, keys: 'bearer' },
        { limits: { media: 4, notes: 4 } },
      );
      return ['limits.shared', 'limits.notes'].map((clause) => verdictOn(clause, trace)?.kind);
    };
    const notes: Given = { scope: 'notes', limit: '4' };
    const notesOfB: Given = { ...notes, ...ofB };
    const first = [...begun, admitted(2, 2, notes), admitted(3, 3, notesOfB)];
    const beyond = [...many(3, 200_000, notes), ...many(3, 200_010, notesOfB)];
    expect(kinds([...first, ...beyond])).toEqual(['inconclusive', 'violated']);
    const refused = [...many(4, 200_000, notes), limited(205_000, 205_000, notesOfB)];
    expect(kinds([...first, ...refused])).toEqual(['inconclusive', 'inconclusive']);
    // What is counted apart elsewhere leaves them together.
    const apart = [...many(3, 190_000), ...many(3, 190_010, ofB)];
    expect(kinds([...first, ...apart, ...refused])).toEqual(['violated', 'inconclusive']);
  });

  it('leave scopes to be shown apart by what one key did in all of them', () => {
    const scopes = {
      media: { title: 'media', limit: 4, countedBy: 'address' },
      notes: { title: 'notes', limit: 4, paths: ['/notes'] },
    };
    const apart = (by: Given) => {
      const notes: Given = { scope: 'notes', limit: '4', ...by };
      const sent = [...begun, ...many(3, 200_000), ...many(3, 200_010, notes)];
      const trace = traceOfDocument(sent, { scopes }, { limits: { media: 4, notes: 4 } });
      return verdictOn('limits.per-scope', trace)?.kind;
    };
    expect([apart({}), apart(ofB)]).toEqual(['held', 'inconclusive']);
  });

  it('are none where no key is sent', () => {
    const document = { scopes: { media: { title: 'media', limit: 4 } }, keys: 'none', countedBy: 'address' };
    const trace = traceOfDocument(many(3, 0), document, { deployment: { keyEnv: [] } });
    expect(verdictOn('limits.shared', trace)).toEqual({
      kind: 'not-applicable',
      reason: 'requests carry no key',
    });
  });

  it('need two keys', () => {
    expect(verdict(many(3, 0))).toMatchObject({
      kind: 'inconclusive',
      reason: 'not run: needs a second key (--key-env A,B)',
      openBy: 'settings',
    });
  });
});
