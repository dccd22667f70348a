import { describe, expect, it, test } from 'vitest';
import { type Document, documentSchema } from './document.ts';
import { loadScopesOf, whyNoLoad } from './load-scopes.ts';
import { messagingDocument } from './messaging.ts';

const ids = [
  ...['load.messages-burst', 'load.media-burst', 'load.burst', 'load.rolling-window', 'load.over-pressure'],
  ...['load.sustained', 'load.noisy-neighbour', 'load.mixed-scopes', 'load.many-keys', 'load.nodes'],
  ...['load.latency', 'load.neighbour-latency', 'load.keys-cost'],
];

/** A document of scopes a, b, …, each with what is said of it. */
function documentOf(scopes: readonly object[], more: object = {}): Document {
  const named = scopes.map((said, at) => {
    const name = 'abc'.charAt(at);
    return [name, { title: name, limit: 20, ...(at > 0 && { paths: [`/${name}`] }), ...said }];
  });
  const base = { version: 1, title: 'own', windowSeconds: 60, headers: 'none', errors: 'none' };
  return documentSchema.parse({ ...base, scopes: Object.fromEntries(named), ...more });
}

/** Where each scenario can be played. */
function shownBy(document: Document) {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const scopes = loadScopesOf(document, id);
      expect([id, whyNoLoad(document, id) === null]).toEqual([id, scopes.length > 0]);
      return scopes.length === 0 ? [] : [[id.slice('load.'.length), scopes.join(' ')]];
    }),
  );
}

test('the messaging document has bursts that bear the names of its scopes, and all else', () => {
  const all = 'standard messages media';
  expect(shownBy(messagingDocument)).toEqual({
    ...{ 'messages-burst': 'messages', 'media-burst': 'media', 'rolling-window': 'messages media' },
    ...{ 'over-pressure': all, sustained: all, 'noisy-neighbour': all, 'mixed-scopes': all, nodes: all },
    ...{ 'many-keys': all, latency: all, 'neighbour-latency': all, 'keys-cost': all },
  });
  expect(whyNoLoad(messagingDocument, 'load.burst')).toBe('it has bursts that bear the names of its scopes');
});

const everything = {
  ...{ burst: 'a b', 'rolling-window': 'a b', 'over-pressure': 'a b', sustained: 'a b', nodes: 'a b' },
  ...{ 'noisy-neighbour': 'a b', 'mixed-scopes': 'a b', 'many-keys': 'a b', latency: 'a b' },
  ...{ 'neighbour-latency': 'a b', 'keys-cost': 'a b' },
};

function without(...left: readonly (keyof typeof everything)[]) {
  return Object.fromEntries(Object.entries(everything).filter(([id]) => !left.includes(id as never)));
}

describe('another document has', () => {
  it('one burst for all scopes, to which waves are sent too', () =>
    expect(shownBy(documentOf([{}, {}]))).toEqual(everything));

  it('no burst of the name of a scope whose path is another, or that is no rolling window', () => {
    const scopes = (said: object) => ({ media: { title: 'm', limit: 20, ...said } });
    const elsewhere = documentOf([], { scopes: scopes({ paths: ['/v1/other'] }) });
    expect(loadScopesOf(elsewhere, 'load.media-burst')).toEqual([]);
    expect(loadScopesOf(elsewhere, 'load.burst')).toEqual(['media']);
    const fixed = documentOf([], { scopes: scopes({ paths: ['/v1/media'], promise: 'fixed' }) });
    expect(loadScopesOf(fixed, 'load.media-burst')).toEqual([]);
    const there = documentOf([], { scopes: scopes({ paths: ['/v1/media'] }) });
    expect(loadScopesOf(there, 'load.media-burst')).toEqual(['media']);
    expect(loadScopesOf(there, 'load.burst')).toEqual([]);
    expect(whyNoLoad(there, 'load.messages-burst')).toBe('it has no such limit (scopes: media)');
  });

  it('waves where a window is rolling alone', () => {
    const [fixed, rolling] = [{ promise: 'fixed' }, {}];
    expect(shownBy(documentOf([fixed, rolling]))).toEqual({ ...everything, 'rolling-window': 'b' });
    expect(shownBy(documentOf([fixed, fixed]))).toEqual(without('rolling-window'));
    expect(whyNoLoad(documentOf([fixed]), 'load.rolling-window')).toMatch(
      /no limit of it is a single rolling/,
    );
  });

  it('no guarantee where it states a bound alone, and no bound where it states what passes alone', () => {
    const guaranteed = {
      ...{ sustained: 'b', 'noisy-neighbour': 'b', 'many-keys': 'b' },
      ...{ 'neighbour-latency': 'b', 'keys-cost': 'b' },
    };
    expect(shownBy(documentOf([{ promise: 'at-most' }, {}]))).toEqual({
      ...without('mixed-scopes'),
      ...guaranteed,
      'rolling-window': 'b',
    });
    expect(shownBy(documentOf([{ promise: 'at-least' }, {}]))).toEqual({
      ...everything,
      ...{ 'rolling-window': 'b', nodes: 'b' },
    });
    expect(whyNoLoad(documentOf([{ promise: 'at-most' }]), 'load.sustained')).toBe(
      'it promises nobody that a request passes',
    );
    expect(whyNoLoad(documentOf([{ promise: 'at-least' }]), 'load.nodes')).toBe(
      'none of its limits bounds how many pass',
    );
    const also = [{ limit: 5, windowSeconds: 1, promise: 'at-most' }];
    expect(loadScopesOf(documentOf([{ also }]), 'load.sustained')).toEqual([]);
  });

  it('no scenario that needs several scopes where it has one', () => {
    const one = documentOf([{}]);
    expect(loadScopesOf(one, 'load.mixed-scopes')).toEqual([]);
    expect(whyNoLoad(one, 'load.mixed-scopes')).toBe('it has one such scope alone');
    expect(loadScopesOf(one, 'load.many-keys')).toEqual(['a']);
  });

  it('no scenario of keys apart where they share their windows', () => {
    const account = documentOf([{}, {}], { countedBy: 'account' });
    expect(shownBy(account)).toEqual(
      without('rolling-window', 'noisy-neighbour', 'many-keys', 'neighbour-latency', 'keys-cost'),
    );
    expect(whyNoLoad(account, 'load.many-keys')).toBe(
      'it counts by account, so the keys of a run share their windows',
    );
    const both = documentOf([{ countedBy: 'account' }, { countedBy: 'address' }]);
    expect(whyNoLoad(both, 'load.many-keys')).toContain('it counts by account or address, so');
    const mixed = shownBy(documentOf([{ countedBy: 'address' }, {}]));
    const apart = ['rolling-window', 'noisy-neighbour', 'many-keys', 'neighbour-latency', 'keys-cost'];
    expect(apart.map((id) => mixed[id])).toEqual(apart.map(() => 'b'));
    expect([mixed['burst'], mixed['mixed-scopes']]).toEqual(['a b', 'a b']);
  });

  it('no scenario of a scope whose requests cost more than 1', () => {
    expect(shownBy(documentOf([{ cost: 2 }, {}, {}]))).toEqual(
      Object.fromEntries(Object.keys(everything).map((id) => [id, 'b c'])),
    );
    const others = [{ request: { path: '/other' } }];
    expect(shownBy(documentOf([{ others }, {}, {}]))['sustained']).toBe('a b c');
    const dear = documentOf([{ cost: 2 }]);
    for (const id of ['load.burst', 'load.sustained'])
      expect(whyNoLoad(dear, id)).toBe('some of its requests cost more than 1, which no scenario counts yet');
  });
});

test('scenarios go to the scope within which others lie, and not to those', () => {
  expect(shownBy(documentOf([{}, { within: 'a' }, { within: 'a' }]))).toEqual(
    Object.fromEntries(Object.keys(without('rolling-window', 'mixed-scopes')).map((id) => [id, 'a'])),
  );
});

test('what is no clause may go anywhere', () => {
  expect(loadScopesOf(messagingDocument, 'one')).toEqual(['standard', 'messages', 'media']);
  expect(whyNoLoad(messagingDocument, 'one')).toBeNull();
});
