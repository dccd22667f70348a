import { expect, it } from 'vitest';
import type { Document } from '../contract/document/document.ts';
import { caseOf } from './case.ts';
import { admitted, type Given, limited, traceOf } from './testing/traces.ts';

const none = { limit: null, remaining: null, reset: null };
const out = { ...none, status: 503, outcome: 'limited' } as const;

/** What is said of media uploads, 30 in a minute by the document, or twenty by the service where `refusedAt` says so. */
function attributionOf(document: Partial<Document>, refusedAt: readonly number[], given: Given = {}) {
  const served = Array.from({ length: 20 }, (_, at) => admitted(at * 4_000, at * 4_000 + 5, none));
  const refused = refusedAt.map((ms) => limited(ms, ms + 5, { ...out, ...given }));
  const trace = traceOf([...served, ...refused].toSorted((left, right) => left.sentMs - right.sentMs));
  const { deployment } = trace.header;
  const held = { ...deployment, document: { ...deployment.document, ...document } };
  const [analysis] = caseOf({ ...trace, header: { ...trace.header, deployment: held } }).analyses;
  return analysis?.attribution;
}

const bare = { headers: 'none', refusal: { status: 503 } } as const;

it('one stretch of refusals may be an outage, and is blamed on nobody', () => {
  expect(attributionOf(bare, [70_100])).toMatchObject({
    kind: 'unsure',
    reason: expect.stringContaining('one outage explains what media did as well'),
  });
  expect(attributionOf(bare, [69_000, 70_100, 71_500])).toMatchObject({ kind: 'unsure' });
});

it('two stretches with an admission between them are no single outage', () => {
  expect(attributionOf(bare, [66_100, 74_100])).toMatchObject({ kind: 'blamed' });
});

it('stretches are told apart by their requests, whose numbers begin anew with each driver', () => {
  expect(attributionOf(bare, [10_100, 70_100], { index: 7 })).toMatchObject({ kind: 'unsure' });
});

it('a refusal that no outage looks like is blamed at once', () => {
  expect(attributionOf({ ...bare, refusal: { status: 403 } }, [70_100])).toMatchObject({ kind: 'blamed' });
});

it('where headers are promised, a 503 without them is no refusal, unless its body says so', () => {
  const by = (given: Given) => attributionOf({ refusal: { status: 503 } }, [66_100, 74_100], given);
  expect(by({ body: '<h1>503</h1>' })).toMatchObject({ kind: 'explained' });
  expect(by({})).toMatchObject({ kind: 'blamed' });
});
