import { describe, expect, it } from 'vitest';
import { parseBody } from '../../contract/error-body.ts';
import { commonSignatures } from './common-signatures.ts';
import { departures, type SignatureFit, signatureFit } from './signature-fits.ts';
import { eventText } from './testing/deliveries.ts';

type Headers = readonly (readonly [name: string, value: string])[];

const secret = 'whsec_c2VjcmV0LW9mLWEtdGVzdA==';
const text = eventText('message.received', 'msg_1', { body: 'Grüße <b> a/b' });
const bytes = Buffer.from(text);
const request = { bytes, text, parsed: parseBody(text), method: 'POST', path: '/hooks' };

const signatures = (headers: Headers) => commonSignatures({ ...request, headers, times: [] }, secret);

const host: Headers = [['Host', 'hooks.example.test']];

/** Each, and what verify finds that it is. */
const explained = () =>
  signatures(host).map((one) => ({
    ...one,
    fit: signatureFit({ ...request, headers: host, value: one.value, secrets: [secret] }),
  }));

const wordsOf = ({ algorithm, over, key, encoding }: SignatureFit): string =>
  `${algorithm} over ${over}, by ${key}, as ${encoding}`;

describe('what receivers expect in place of the right signature', () => {
  it('is called what verify calls it, which knows nothing of a prefix', () => {
    const found = explained();
    expect(found.map(({ fit }) => fit && wordsOf(fit))).toEqual(
      found.map(({ what }) => what.replace(' without "sha256="', '')),
    );
  });

  it('departs in one thing from the convention, the most common first', () => {
    const parts = explained().map(({ fit, what }) =>
      fit === null || what.includes('without "sha256="') ? 'prefix' : departures(fit).join(),
    );
    expect([...new Set(parts)]).toEqual(['prefix', 'encoding', 'over', 'key', 'algorithm']);
  });

  it('is each value once, and never the right one', () => {
    const found = explained();
    const values = found.map(({ value }) => value);
    expect(new Set(values).size).toBe(values.length);
    expect(
      found.filter(({ value, fit }) => value.startsWith('sha256=') && departures(fit!).length === 0),
    ).toEqual([]);
  });

  it('is bounded, whatever a sender makes of its headers', () => {
    const many = Array.from(
      { length: 8 },
      (_, at): Headers => [
        [`T${at}`, String(1_760_000_000 + at)],
        [`X${at}-Id`, `evt_${at}`],
      ],
    ).flat();
    expect(signatures(many)).toHaveLength(200);
  });
});
