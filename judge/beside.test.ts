import { describe, expect, it } from 'vitest';
import { besideIn } from './beside.ts';
import type { Group } from './entries.ts';
import { groupedOf } from './grouped.ts';
import { admitted, traceOfDocument } from './testing/traces.ts';

const media = { title: 'media', limit: 4 };
const notes = { title: 'notes', limit: 4, paths: ['/notes'] };
const posts = { title: 'posts', limit: 4, paths: ['/posts'] };

/** Who may be beside each group of a trace in which keys asked scopes once, as `key at scope`. */
function besideEach(scopes: object, asked: readonly string[], document: object = {}) {
  const exchanges = asked.map((one, at) => {
    const [key = '', scope = ''] = one.split(' at ');
    return admitted(at, at, { key, scope });
  });
  const limits = Object.fromEntries(Object.keys(scopes).map((scope) => [scope, 4]));
  const grouped = groupedOf(traceOfDocument(exchanges, { scopes, ...document }, { limits }));
  const beside = besideIn(grouped);
  const named = (groups: readonly Group[]) => groups.map(({ key, scope }) => `${key} at ${scope}`);
  return Object.fromEntries(
    grouped.groups.map((group) => [
      ...named([group]),
      { scopes: named(beside.otherScopes(group)), keys: named(beside.otherKeys(group)) },
    ]),
  );
}

const three = ['A at media', 'B at media', 'A at notes', 'B at notes', 'C at notes', 'A at posts'];

describe('what may be counted with a group', () => {
  it('is what its key did at other scopes, and other keys at its own', () => {
    expect(besideEach({ media, notes }, ['A at media', 'B at media', 'A at notes'])).toEqual({
      'A at media': { scopes: ['A at notes'], keys: ['B at media'] },
      'A at notes': { scopes: ['A at media'], keys: [] },
      'B at media': { scopes: [], keys: ['A at media'] },
    });
  });

  it('is, of keys that one scope counts together and others do not, what any of them did', () => {
    const scopes = { media: { ...media, countedBy: 'account' }, notes, posts };
    expect(besideEach(scopes, three)).toEqual({
      'A+B at media': { scopes: ['A at notes', 'B at notes', 'A at posts'], keys: [] },
      'A at notes': { scopes: ['A at posts', 'A+B at media'], keys: ['B at notes', 'C at notes'] },
      'A at posts': { scopes: ['A at notes', 'A+B at media'], keys: [] },
      'B at notes': { scopes: ['A+B at media'], keys: ['A at notes', 'C at notes'] },
      'C at notes': { scopes: [], keys: ['A at notes', 'B at notes'] },
    });
  });

  it('is what the same keys did, where all scopes count them together', () => {
    expect(
      besideEach({ media, notes, posts }, ['A at media', 'B at media', 'A at notes'], {
        countedBy: 'account',
      }),
    ).toEqual({
      'A+B at media': { scopes: [], keys: [] },
      'A at notes': { scopes: [], keys: [] },
    });
  });

  it('is nothing of a scope within which its own lies', () => {
    const inner = {
      media: { ...media, paths: ['/media'], within: 'notes' },
      notes: { title: 'all', limit: 4 },
      posts,
    };
    expect(besideEach(inner, ['A at media', 'A at notes', 'A at posts'])).toEqual({
      'A at media': { scopes: ['A at posts'], keys: [] },
      'A at notes': { scopes: ['A at posts'], keys: [] },
      'A at posts': { scopes: ['A at media', 'A at notes'], keys: [] },
    });
  });
});
