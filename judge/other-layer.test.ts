import { expect, it } from 'vitest';
import { hasNoHeaders, isAnotherLayers, withoutOtherLimits } from './other-layer.ts';
import { admitted, type Given, indeterminate, limited, traceOf } from './testing/traces.ts';

const none: Given = { limit: null, remaining: null, reset: null };
const page: Given = { ...none, contentType: 'text/html', body: '<html></html>' };

it.each([
  ['a 5xx with all headers', { status: 500 }, true],
  ['a 413 without any', { ...none, status: 413 }, true],
  ['a 413 with Limit', { ...none, status: 413, limit: '30' }, false],
  ['a 413 with Remaining', { ...none, status: 413, remaining: '3' }, false],
  ['a 413 with Reset', { ...none, status: 413, reset: '1760000104' }, false],
  ['a 403 without any', { ...none, status: 403 }, false],
  ['a page with 403', { ...page, status: 403 }, true],
  ['a page with 403 that is called JSON', { ...page, status: 403, contentType: 'application/json' }, true],
  ['a 403 of JSON that is called a page', { ...page, status: 403, body: '{}' }, false],
  ['a page with 403 and Limit', { ...page, status: 403, limit: '30' }, false],
  ['a page with 403 without a key', { ...page, status: 403, key: null, credential: 'absent' }, false],
  ['a 413 of a request that passed', { ...none, status: 413, outcome: 'admitted' }, false],
  ['a page with 403 of a request that passed', { ...page, status: 403, outcome: 'admitted' }, false],
  ['a page with 404', { ...page, status: 404 }, false],
  ['a 499 without any', { ...none, status: 499 }, true],
  ['a 429 to HEAD of HTML', { ...none, status: 429, method: 'HEAD', contentType: 'Text/HTML; x' }, true],
  [
    'a 429 to HEAD of something else',
    { ...none, status: 429, method: 'HEAD', contentType: 'x-text/html' },
    false,
  ],
  ['a 429 to HEAD without a type', { ...none, status: 429, method: 'HEAD', contentType: null }, false],
] as const)('%s may be another layer’s: %s', (_name, given, expected) => {
  expect(isAnotherLayers(admitted(0, 5, given))).toBe(expected);
});

it('is nobody’s where no answer came', () => {
  expect(isAnotherLayers(indeterminate(0, none))).toBe(false);
  expect(hasNoHeaders(indeterminate(0, none))).toBe(true);
});

it('takes a page without headers for the API’s own where its document promises none', () => {
  const trace = traceOf([limited(0, 5, page), limited(10, 15, { ...page, status: 503, outcome: 'limited' })]);
  const { deployment } = trace.header;
  const document = { ...deployment.document, headers: 'none' as const };
  const held = { ...trace, header: { ...trace.header, deployment: { ...deployment, document } } };
  expect(withoutOtherLimits(held).exchanges.map(({ outcome }) => outcome)).toEqual(['limited', 'limited']);
});

it('gives 429s that may count: others stay limits, and other answers what they are', () => {
  const exchanges = [admitted(0, 5), limited(10, 15, page), limited(20, 25), admitted(30, 35, page)];
  const outcomes = withoutOtherLimits(traceOf(exchanges)).exchanges.map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['admitted', 'refused', 'limited', 'admitted']);
});

it('takes another status without headers for the API’s own where its body says that it is about the limit', () => {
  const busy: Given = { ...none, status: 503, outcome: 'limited' };
  const outcomesWith = (refusal: Readonly<Record<string, unknown>>, bodies: readonly string[]) => {
    const trace = traceOf(bodies.map((body, at) => limited(at * 10, at * 10 + 5, { ...busy, body })));
    const { deployment } = trace.header;
    const document = { ...deployment.document, refusal: { status: 503, ...refusal } };
    const held = { ...trace, header: { ...trace.header, deployment: { ...deployment, document } } };
    return withoutOtherLimits(held).exchanges.map(({ outcome }) => outcome);
  };
  const own = '{"success":false,"error":{"code":"rate_limit_exceeded"}}';
  expect(outcomesWith({}, [own, '<html>', '{}'])).toEqual(['limited', 'refused', 'refused']);
  const why = { body: { '/why': 'slow' } };
  expect(outcomesWith(why, [own, '{"why":"slow"}'])).toEqual(['refused', 'limited']);
});
