import { describe, expect, it } from 'vitest';
import { judgeTrace } from './judge-trace.ts';
import { countedInBoth, dependsOnUploads, uploadsAmbiguous } from './media-below-messages.ts';
import { admitted, type Given, indeterminate, limited, times, traceOf } from './testing/traces.ts';

const below = (path: string) => ({ requests: { media: { method: 'POST', path } } });

describe('uploads below /v1/messages', () => {
  it.each([
    ['/v1/messages', true],
    ['/v1/messages/media', true],
    ['/api/v1/messages?upload', true],
    ['/v1/messages-media', false],
    ['/xv1/messages', false],
    ['/v1/media', false],
  ])('%s: counted in both, perhaps: %s', (path, expected) => {
    expect(countedInBoth(traceOf([], { deployment: below(path) })) !== null).toBe(expected);
  });

  it('are counted as a person says', () => {
    const alone = { ...below('/v1/messages/media'), mediaBelowMessages: 'media' };
    expect(countedInBoth(traceOf([], { deployment: alone }))).toBeNull();
    expect(countedInBoth(traceOf([]))).toBeNull();
  });

  it('may each have taken a place in the other window too, and prove nothing about either limit', () => {
    const messages: Given = { scope: 'messages' };
    const exchanges = [admitted(0, 5), limited(0, 5), indeterminate(0), limited(0, 5, messages)];
    const both = countedInBoth(traceOf(exchanges, { deployment: below('/v1/messages/media') }));
    const none = { limit: null, remaining: null, reset: null };
    expect(both?.exchanges).toMatchObject([
      { scope: 'media', outcome: 'admitted', headers: none },
      {
        scope: 'messages',
        outcome: 'refused',
        headers: none,
        requestId: `${exchanges[0]?.requestId} as a message`,
      },
      { scope: 'media', outcome: 'refused', headers: none },
      { scope: 'messages', outcome: 'refused', headers: none },
      { scope: 'media', outcome: 'indeterminate', headers: none },
      { scope: 'messages', outcome: 'indeterminate', headers: none },
      exchanges[3],
    ]);
  });

  it.each([
    ['limits.messages', true],
    ['window.length', true],
    ['load.nodes', true],
    ['headers.limit', true],
    ['headers.remaining', true],
    ['error.retry-after-suffices', true],
    ['error.retry-after', false],
    ['headers.reset', false],
    ['auth.bearer', false],
  ])('%s depends on how they are counted: %s', (clause, expected) => {
    expect(dependsOnUploads(clause)).toBe(expected);
  });
});

describe('a violation under the reading that uploads count alone', () => {
  const limits = { standard: 4, messages: 4, media: 4 };
  const verdictOf = (mediaBelowMessages: string, uploads: number, id = 'limits.per-scope') => {
    const exchanges = [
      admitted(0, 5, { scope: 'messages' }),
      ...times(uploads, () => admitted(61_400, 61_405)),
      limited(61_500, 61_505, { scope: 'messages' }),
    ];
    const deployment = { ...below('/v1/messages/media'), mediaBelowMessages };
    const { clauses } = judgeTrace(traceOf(exchanges, { limits, deployment }));
    return clauses.find(({ clause }) => clause === id)?.verdict;
  };

  it('is none where the other reading explains the answers', () => {
    expect(verdictOf('both', 4)).toEqual({ kind: 'inconclusive', reason: uploadsAmbiguous, because: [] });
    expect(verdictOf('media', 4)).toMatchObject({ kind: 'violated', reason: 'one-window-for-scopes' });
    const other = 'window.granularity';
    expect(verdictOf('both', 4, other)).toEqual({
      kind: 'inconclusive',
      reason: uploadsAmbiguous,
      because: [],
    });
    expect(verdictOf('media', 4, other)).toMatchObject({ because: ['limits.per-scope'] });
  });

  it('is none where the other reading leaves a window that holds places for whole seconds', () => {
    const messages: Given = { scope: 'messages' };
    const exchanges = [
      ...times(4, () => admitted(900, 905, messages)),
      // Scopes are counted apart: one window for both would have been full.
      admitted(910, 915, { scope: 'standard' }),
      ...times(3, () => admitted(61_050, 61_055, messages)),
      admitted(61_060, 61_065),
      // Of messages there are three in a window. With the upload there are four, held until the second after it is over.
      limited(121_900, 121_905, messages),
    ];
    const verdictIn = (mediaBelowMessages: string) => {
      const deployment = {
        ...below('/v1/messages/media'),
        mediaBelowMessages,
        perSecond: 'average' as const,
      };
      const { clauses } = judgeTrace(traceOf(exchanges, { limits, deployment }));
      return clauses.find(({ clause }) => clause === 'limits.messages')?.verdict;
    };
    expect(verdictIn('both')).toEqual({ kind: 'inconclusive', reason: uploadsAmbiguous, because: [] });
    expect(verdictIn('media')).toMatchObject({ kind: 'violated', reason: 'wrongful-429' });
  });

  it('stays what it is where both readings leave it open for a window of whole seconds', () => {
    const messages: Given = { scope: 'messages' };
    const exchanges = [
      ...times(4, () => admitted(900, 905, messages)),
      admitted(910, 915, { scope: 'standard' }),
      ...times(4, () => admitted(61_050, 61_055, messages)),
      limited(121_900, 121_905, messages),
    ];
    const deployment = { ...below('/v1/messages/media'), perSecond: 'average' as const };
    const { clauses } = judgeTrace(traceOf(exchanges, { limits, deployment }));
    expect(clauses.find(({ clause }) => clause === 'limits.messages')?.verdict).toMatchObject({
      kind: 'inconclusive',
      because: ['window.granularity'],
    });
  });
});
