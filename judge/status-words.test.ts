import { expect, it } from 'vitest';
import { documentSchema } from '../contract/document/document.ts';
import { held, inconclusive, notApplicable, observed, type Verdict, violated } from '../contract/verdict.ts';
import { evidenceOf } from './evidence.ts';
import { withStatus } from './status-words.ts';

const least = {
  version: 1,
  title: 'items',
  windowSeconds: 60,
  scopes: { all: { title: 'all', limit: 429 } },
};
const usual = documentSchema.parse(least);
const other = documentSchema.parse({ ...least, refusal: { status: [403, 503] } });

const said = 'a 429 after 429 requests, then 429s: no 429 of 429 in a429';
const named = 'a 403 or 503 after 429 requests, then 403 or 503s: no 403 or 503 of 429 in a429';

it.each<readonly [Verdict, Verdict]>([
  [held(said), held(named)],
  [observed(said), observed(named)],
  [inconclusive(said), inconclusive(named)],
  [notApplicable(said), notApplicable(named)],
  [violated('second-429', evidenceOf(said, said, [])), violated('second-429', evidenceOf(named, named, []))],
])('%j names the status of the document', (verdict, expected) => {
  expect(withStatus(verdict, other)).toEqual(expected);
  expect(withStatus(verdict, usual)).toBe(verdict);
});

it('names statuses once, of which 429 is one', () => {
  const both = documentSchema.parse({ ...least, refusal: { status: [403, 429] } });
  expect(withStatus(held('2 refusals, all HTTP 403 or 429'), both)).toEqual(
    held('2 refusals, all HTTP 403 or 429'),
  );
  expect(withStatus(held('no 429 was seen'), both)).toEqual(held('no 403 or 429 was seen'));
});

it('a number that is no status is none of its names', () => {
  const outage = documentSchema.parse({ ...least, refusal: { status: 503 } });
  const saying = (summary: string) => withStatus(held(summary), outage);
  for (const number of ['60.503 s', '503.5 s', '1503 ms', '5030 ms', '2,503 requests', '503,000 requests'])
    expect(saying(`got a 429 after ${number}`)).toEqual(held(`got a 503 after ${number}`));
  for (const named of ['HTTP 503', 'a 503, as it is said', 'a 503.', '503s'])
    expect(saying(`a 429 where there was ${named}`)).toEqual(held(`a 429 where there was ${named}`));
});
