import { describe, expect, it, test } from 'vitest';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import { rateLimitHeaderNames } from '../../contract/rate-limit-headers.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { DecidedRequest, HeaderField } from '../../service/behaviour.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { clausesWith } from '../simulation/simulated-trace.ts';
import { playedDocument } from './played-document.ts';

function documentOf(headers: string): Document {
  const items = { title: '/items', limit: 50, request: { path: '/items' } };
  return documentSchema.parse({ version: 1, title: 'x', windowSeconds: 60, headers, scopes: { items } });
}

function judged(headers: string, faults: readonly Deviation[]) {
  return judgeTrace(playedDocument(documentOf(headers), { faults }));
}

/** A service that writes these fields itself. */
function writing(fields: (counted: DecidedRequest) => readonly HeaderField[]): Deviation {
  return {
    name: 'own-fields',
    summary: 'writes its headers in its own way',
    patch: (behaviour) => ({ ...behaviour, rateLimitHeaders: fields }),
  };
}

const secondsLeft = ({ decision, nowMs }: DecidedRequest): number =>
  Math.ceil((decision.resetMs - nowMs) / 1_000);
const current = (counted: DecidedRequest): string =>
  `"items";r=${counted.decision.remaining};t=${secondsLeft(counted)}`;
const policy = '"items";q=50;w=60';

const withFields = (policyText: string, limitText: (counted: DecidedRequest) => string) =>
  writing((counted) => [
    ['RateLimit-Policy', policyText],
    ['RateLimit', limitText(counted)],
  ]);

describe('RateLimit-Policy and RateLimit', () => {
  it.each<readonly [string, Deviation]>([
    ['as the service writes them', withFields(policy, current)],
    [
      'with parameters of their own',
      withFields('"items";q=50;w=60;acme-burst=5;pk=:YQ==:;qu="requests"', current),
    ],
    ['without w and t', withFields('"items";q=50', ({ decision }) => `"items";r=${decision.remaining}`)],
    ['with another policy before', withFields(`"day";q=90000;w=86400, ${policy}`, current)],
  ])('%s violate nothing', (_what, deviation) => {
    const judgement = judged('ietf', [deviation]);
    expect(clausesWith(judgement, 'violated')).toEqual([]);
    expect(clausesWith(judgement, 'held')).toEqual(
      expect.arrayContaining(['headers.limit', 'headers.remaining', 'headers.policy', 'limits.items']),
    );
  });

  it.each<readonly [string, Deviation, readonly string[]]>([
    ['another quota', withFields('"items";q=60;w=60', current), ['headers.limit']],
    ['another window', withFields('"items";q=50;w=61', current), ['headers.policy']],
    ['a w that is text', withFields('"items";q=50;w="60"', current), ['headers.policy']],
    ['a name that is no string', withFields('items;q=50;w=60', current), ['headers.policy']],
    ['no q', withFields('"items";w=60', current), ['headers.limit', 'headers.policy']],
    ['what is no list', withFields('"items;q=50', current), ['headers.limit', 'headers.policy']],
    [
      'one more remaining',
      withFields(
        policy,
        (counted) => `"items";r=${counted.decision.remaining + 1};t=${secondsLeft(counted)}`,
      ),
      ['headers.remaining', 'headers.remaining-on-429'],
    ],
    [
      'a t of the whole window, while requests leave one by one',
      withFields(policy, ({ decision }) => `"items";r=${decision.remaining};t=60`),
      ['headers.effective-window', 'headers.retry-after-beyond'],
    ],
    ['no RateLimit', writing(() => [['RateLimit-Policy', policy]]), ['headers.present']],
  ])('%s is violated where it belongs', (_what, deviation, clauses) => {
    expect(clausesWith(judged('ietf', [deviation]), 'violated')).toEqual(clauses);
  });

  test('a Retry-After before t is over falls short', () => {
    const early: Deviation = {
      name: 'early',
      summary: 'Retry-After of a second',
      patch: (behaviour) => ({
        ...behaviour,
        overLimit: (counted) => {
          const ruling = behaviour.overLimit(counted);
          return ruling.kind === 'refuse'
            ? { ...ruling, error: { ...ruling.error, headers: [['Retry-After', '1']] } }
            : ruling;
        },
      }),
    };
    expect(clausesWith(judged('ietf', [early]), 'violated')).toEqual(['headers.retry-after-beyond']);
  });
});

test('RateLimit-Limit of the earlier drafts may hold its policies after the limit', () => {
  const listed: Deviation = {
    name: 'listed',
    summary: 'a list of policies',
    patch: (behaviour) => ({
      ...behaviour,
      rateLimitHeaders: (counted, status) =>
        behaviour
          .rateLimitHeaders(counted, status)
          .map(([name, text]) => [
            name,
            name === rateLimitHeaderNames.limit ? `${text}, ${text};w=60` : text,
          ]),
    }),
  };
  const judgement = judged('ietf-triple', [listed]);
  expect(clausesWith(judgement, 'violated')).toEqual([]);
  expect(clausesWith(judgement, 'held')).toContain('headers.limit');
});

describe('one field RateLimit of version 07', () => {
  const withField = (text: (counted: DecidedRequest) => string) =>
    writing((counted) => [
      ['RateLimit-Policy', '50;w=60'],
      ['RateLimit', text(counted)],
    ]);

  it.each<readonly [string, (counted: DecidedRequest) => string, readonly string[]]>([
    ['as it is', (counted) => fieldOf(counted, 0), []],
    [
      'one more remaining',
      (counted) => fieldOf(counted, 1),
      ['headers.remaining', 'headers.remaining-on-429'],
    ],
    ['no reset', (counted) => fieldOf(counted, 0).replace(/, reset=.*/, ''), ['headers.present']],
    ['another limit', (counted) => fieldOf(counted, 0).replace('limit=50', 'limit=60'), ['headers.limit']],
    [
      'semicolons in the place of commas',
      (counted) => fieldOf(counted, 0).replaceAll(',', ';'),
      ['headers.present'],
    ],
  ])('with %s', (_what, text, clauses) => {
    expect(clausesWith(judged('ietf-draft-7', [withField(text)]), 'violated')).toEqual(clauses);
  });
});

/** What the one field says, with so many more remaining than there are. */
function fieldOf(counted: DecidedRequest, more: number): string {
  return `limit=50, remaining=${counted.decision.remaining + more}, reset=${secondsLeft(counted)}`;
}
