import { expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { headersSchema } from './headers.ts';
import { toldHeaders } from './told-headers.ts';

type Raw = Exchange['headers'];

const field = 'limit=100, remaining=5, reset=30';
const listed = { name: 'Quota', as: 'list' };
const used = { limit: 'Quota', remaining: { name: 'Used', as: 'used' } };
const keyed = {
  limit: { name: 'Rate', key: 'total' },
  remaining: { name: 'Rate', key: 'left' },
  reset: { name: 'Rate', key: 'resets', unit: 'seconds' },
};
const keyedRatio = { remaining: { name: 'Info', key: 'api-usage', as: 'used-of-limit' } };
const keyedUsed = { limit: 'Quota', remaining: { name: 'Info', key: 'used', as: 'used' } };
const rate = 'total=100; left=99; resets=46';
const usage = 'api-usage=25/5000; per-app=1/2';
/** By the document, the limit of its scope is 50. */
const usedAlone = { remaining: { name: 'Used', as: 'used' } };
const ratio = { remaining: { name: 'Used', as: 'used-of-limit' } };

it.each<readonly [unknown, Raw, Raw]>([
  [
    'x-ratelimit',
    { limit: '100, 100;w=60', remaining: '5', reset: '9' },
    { limit: '100, 100;w=60', remaining: '5', reset: '9' },
  ],
  [
    'ietf-triple',
    { limit: '100, 100;w=60', remaining: '5;w=60', reset: '9' },
    { limit: '100', remaining: '5;w=60', reset: '9' },
  ],
  ['ietf-triple', { limit: null, remaining: '5', reset: null }, { limit: null, remaining: '5', reset: null }],
  [
    { remaining: listed },
    { limit: '7;w=1', remaining: '5;w=60', reset: '9' },
    { limit: '7;w=1', remaining: '5', reset: '9' },
  ],
  [
    'ietf',
    { limit: '"a";q=100;w=60', remaining: '"a";r=5;t=30', reset: null },
    { limit: '100', remaining: '5', reset: '30' },
  ],
  ['ietf', { limit: 'a b', remaining: null, reset: '7' }, { limit: 'a b', remaining: null, reset: null }],
  [
    'ietf-draft-7',
    { limit: field, remaining: field, reset: field },
    { limit: '100', remaining: '5', reset: '30' },
  ],
  [
    'ietf-draft-7',
    { limit: 'a b', remaining: 'a b', reset: 'a b' },
    { limit: 'a b', remaining: 'a b', reset: 'a b' },
  ],
  [
    'ietf-draft-7',
    { limit: null, remaining: null, reset: null },
    { limit: null, remaining: null, reset: null },
  ],
  [used, { limit: '100', remaining: '5', reset: '9' }, { limit: '100', remaining: '95', reset: '9' }],
  [used, { limit: '100', remaining: '5, 70', reset: null }, { limit: '100', remaining: '95', reset: null }],
  [used, { limit: '100', remaining: '101', reset: null }, { limit: '100', remaining: '0', reset: null }],
  [used, { limit: '100', remaining: null, reset: null }, { limit: '100', remaining: null, reset: null }],
  [
    used,
    { limit: null, remaining: '5', reset: null },
    { limit: null, remaining: 'no limit less 5', reset: null },
  ],
  [
    used,
    { limit: '100, 900', remaining: '5', reset: null },
    { limit: '100, 900', remaining: '100, 900 less 5', reset: null },
  ],
  [
    { limit: listed, remaining: { name: 'Used', as: 'used' } },
    { limit: '100, 900', remaining: '-5', reset: null },
    { limit: '100', remaining: '100 less -5', reset: null },
  ],
  [usedAlone, { limit: null, remaining: '5', reset: null }, { limit: null, remaining: '45', reset: null }],
  [usedAlone, { limit: null, remaining: '51, 7', reset: null }, { limit: null, remaining: '0', reset: null }],
  [usedAlone, { limit: null, remaining: null, reset: null }, { limit: null, remaining: null, reset: null }],
  [ratio, { limit: '32/40', remaining: '32/40', reset: '9' }, { limit: '40', remaining: '8', reset: '9' }],
  [
    ratio,
    { limit: ' 32 / 40 , 1/9', remaining: ' 32 / 40 , 1/9', reset: null },
    { limit: '40', remaining: '8', reset: null },
  ],
  [
    ratio,
    { limit: '41/40;w=1', remaining: '41/40;w=1', reset: null },
    { limit: '40', remaining: '0', reset: null },
  ],
  ...['32', 'a 32/40', '32/40 a', '32/', '/40', '3 2/40'].map((text): readonly [unknown, Raw, Raw] => [
    ratio,
    { limit: text, remaining: text, reset: null },
    { limit: `${text}, not as 32/40`, remaining: `${text}, not as 32/40`, reset: null },
  ]),
  [ratio, { limit: null, remaining: null, reset: null }, { limit: null, remaining: null, reset: null }],
  [
    ratio,
    { limit: '17/250(appName=a)', remaining: '17/250(appName=a)', reset: null },
    { limit: '250', remaining: '233', reset: null },
  ],
  [keyed, { limit: rate, remaining: rate, reset: rate }, { limit: '100', remaining: '99', reset: '46' }],
  [
    keyed,
    { limit: 'total=1', remaining: 'total=1', reset: 'total=1' },
    { limit: '1', remaining: null, reset: null },
  ],
  [keyed, { limit: null, remaining: null, reset: null }, { limit: null, remaining: null, reset: null }],
  [
    keyedRatio,
    { limit: usage, remaining: usage, reset: '9' },
    { limit: '5000', remaining: '4975', reset: '9' },
  ],
  [
    keyedUsed,
    { limit: '10', remaining: 'used=4; max=10', reset: null },
    { limit: '10', remaining: '6', reset: null },
  ],
])('by %o, %o says %o', (headers, raw, told) =>
  expect(toldHeaders({ headers: headersSchema.parse(headers) })(raw, 50)).toEqual(told),
);
