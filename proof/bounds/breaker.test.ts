import { describe, expect, it } from 'vitest';
import { openBreaker } from '../../contract/breaker.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { Document } from '../../contract/document/document.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { admitted, type Given, indeterminate, limited, originMs, times } from '../../judge/testing/traces.ts';

const { breaker: usual, document: usualDocument } = deploymentSchema.parse({
  baseUrls: ['http://127.0.0.1'],
  keyEnv: ['KEY_A'],
});

const failed = (at: number, given: Given = {}): Exchange =>
  admitted(at, at + 5, { status: 500, outcome: 'refused', body: '{}', ...given });

/** After how many answers it trips; `null` where it does not. */
function trippedAfter(
  answers: readonly Exchange[],
  settings = usual,
  document: Pick<Document, 'refusal'> = usualDocument,
): number | null {
  const breaker = openBreaker(settings, document);
  for (const [at, answer] of answers.entries()) {
    breaker.hear(answer);
    if (breaker.tripped() !== null) return at + 1;
  }
  return null;
}

describe('a breaker', () => {
  it.each([
    ['a 500', (at: number) => failed(at)],
    ['a 401', (at: number) => failed(at, { status: 401 })],
    ['a 403', (at: number) => failed(at, { status: 403 })],
    ['a redirect', (at: number) => failed(at, { status: 302 })],
    ['no answer', (at: number) => indeterminate(at)],
  ])('trips at the twentieth in a row: %s', (_what, make) => {
    expect(trippedAfter([...times(50, (at) => admitted(at, at + 5)), ...times(20, make)])).toBe(70);
  });

  it('takes no answer for a failure that has the body of a refusal by its document', () => {
    const document = { refusal: { status: 429, body: { '/fault': 'quota' } } };
    const refusals = (body: string) => times(50, (at) => failed(at, { status: 403, body }));
    expect(trippedAfter(refusals('{"fault":"quota"}'), usual, document)).toBeNull();
    expect(trippedAfter(refusals('{"fault":"shut"}'), usual, document)).toBe(20);
    // The messaging document's code says nothing where another body is promised.
    expect(trippedAfter(refusals('{"error":{"code":"rate_limit_exceeded"}}'), usual, document)).toBe(20);
  });

  it('begins again with every answer that is well', () => {
    const nineteen = times(19, failed);
    expect(
      trippedAfter([...times(60, () => admitted(0, 5)), ...nineteen, admitted(0, 5), ...nineteen]),
    ).toBeNull();
    expect(
      trippedAfter([...times(60, () => admitted(0, 5)), ...nineteen, limited(0, 5), ...nineteen]),
    ).toBeNull();
  });

  it('is never tripped by 429s, nor by a refusal of another status that says it is about the limit', () => {
    expect(trippedAfter(times(500, (at) => limited(at, at + 5)))).toBeNull();
    expect(trippedAfter(times(500, (at) => limited(at, at + 5, { body: '<html>' })))).toBeNull();
    const { body } = limited(0, 5);
    expect(trippedAfter(times(500, (at) => failed(at, { status: 503, body })))).toBeNull();
  });

  it('does not mind answers to requests that are to be refused', () => {
    const keyless: Given = { credential: 'absent', key: null, status: 401 };
    expect(trippedAfter(times(100, (at) => failed(at, keyless)))).toBeNull();
    expect(trippedAfter(times(100, (at) => failed(at, { route: 'other', status: 404 })))).toBeNull();
  });

  it('counts each key and scope by itself', () => {
    const failing = failed(0, { scope: 'messages' });
    const one = times(20, () => failing).flatMap((each) => [admitted(0, 5), admitted(0, 5), each]);
    expect(trippedAfter(one)).toBe(60);
  });

  it('trips where more than half of the last hundred fail, in whatever order', () => {
    const mixed = (every: number) =>
      times(400, (at) => (at % every === 0 ? admitted(at, at + 5) : failed(at)));
    expect(trippedAfter(mixed(3))).toBeLessThan(100);
    const third = times(400, (at) => (at % 3 === 0 ? failed(at) : admitted(at, at + 5)));
    expect(trippedAfter(third)).toBeNull();
  });

  it('stays quiet where the settings say so', () => {
    const never = { ...usual, failuresInARow: 0, failureShare: 1 };
    expect(trippedAfter(times(500, failed), never)).toBeNull();
    expect(trippedAfter(times(500, failed), { ...usual, failuresInARow: 7 })).toBe(7);
  });

  it('says what failed, how often, and from when on', () => {
    const breaker = openBreaker(usual, usualDocument);
    for (const answer of times(100, (at) => admitted(10 * at, 10 * at + 5))) breaker.hear(answer);
    for (const answer of times(1_500, (at) => failed(1_200 + at))) breaker.hear(answer);
    expect(breaker.text()).toBe('500 to 1,500 of 1,600 requests from +1.2 s');
    breaker.hear(indeterminate(3_000));
    expect(breaker.text()).toBe('500 to 1,500, no answer to 1 of 1,601 requests from +1.2 s');
    for (const answer of times(1_600, (at) => failed(4_000 + at, { status: 404 }))) breaker.hear(answer);
    expect(breaker.text()).toMatch(/^404 to 1,600, 500 to 1,500, no answer to 1 of /);
  });

  it.each([
    ['120', 120_000],
    [new Date(originMs + 30_000 + 5).toUTCString(), 29_995],
    ['soon', null],
    ['5 minutes', null],
    ['-5', 0],
    [null, null],
  ])('knows how long the last failure asked to be left alone: %s', (retryAfter, retryAfterMs) => {
    const breaker = openBreaker(usual, usualDocument);
    for (const answer of times(20, () => failed(0, { status: 503, retryAfter }))) breaker.hear(answer);
    expect(breaker.tripped()).toMatchObject({ retryAfterMs });
  });

  it('knows which requests failed, and how many of such had been admitted', () => {
    const breaker = openBreaker(usual, usualDocument);
    for (const answer of [...times(3, () => admitted(0, 5)), admitted(0, 5, { key: 'B' })])
      breaker.hear(answer);
    for (const answer of times(20, () => failed(0, { status: 403 }))) breaker.hear(answer);
    const { scope } = failed(0);
    expect(breaker.tripped()?.of).toEqual({ scope, status: 403, admitted: 3 });
  });

  it.each([
    ['the wall clock where the answer has one', originMs + 10_000, 20_000],
    ['the clock of the run where it has none', null, 29_995],
  ])('takes a date from %s', (_what, wallReceivedMs, retryAfterMs) => {
    const retryAfter = new Date(originMs + 30_000).toUTCString();
    const breaker = openBreaker(usual, usualDocument);
    for (const answer of times(20, () => failed(0, { retryAfter, wallReceivedMs }))) breaker.hear(answer);
    expect(breaker.tripped()).toMatchObject({ retryAfterMs });
  });

  it('trips sooner after a wait, and not where the target is well again', () => {
    const breaker = openBreaker(usual, usualDocument);
    for (const answer of times(20, failed)) breaker.hear(answer);
    breaker.goOn();
    expect(breaker.tripped()).toBeNull();
    for (const answer of [failed(0), failed(0), admitted(0, 5), failed(0), failed(0)]) breaker.hear(answer);
    expect(breaker.tripped()).toBeNull();
    breaker.hear(failed(0));
    expect(breaker.tripped()).not.toBeNull();
  });
});
