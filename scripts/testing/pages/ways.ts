import type { Need } from '../../../testing/needs.ts';

/** How a line that a person types is run by a test. */
export type Typed = {
  /** What a machine may lack; then the block is left out, and said to be. */
  readonly needs?: Need;
  /** Words that are typed after those of the page: what takes a minute there takes seconds here. */
  readonly more?: string;
  /** The exit statuses that are expected; left out: 0. */
  readonly ends?: readonly number[];
  /** What stands somewhere in all that it prints. */
  readonly says: RegExp;
  /** Does not end by itself: it is ended as soon as it says this. */
  readonly until?: string;
};

/** How a block of a page is run, or else why it is not. */
export type Way =
  | { readonly kind: 'typed'; readonly lines: readonly Typed[] }
  /** Another test takes it from the page and runs it. */
  | { readonly kind: 'elsewhere'; readonly test: string }
  /** A program for which nothing has to be there but the packages that it imports. */
  | { readonly kind: 'program' }
  /** Settings, which `plan` takes. */
  | { readonly kind: 'settings' }
  /** A document, the same as that file, or a part of one. */
  | { readonly kind: 'document'; readonly example: string | null }
  /** The first line of a trace. */
  | { readonly kind: 'trace header' }
  /** Words of a container engine around words of ours: ours are run, or their flags looked up. */
  | { readonly kind: 'container'; readonly lines: readonly Typed[] }
  /** A person reads it, nobody types it. */
  | { readonly kind: 'shown'; readonly what: string; readonly says: RegExp };

const typed = (...lines: readonly Typed[]): Way => ({ kind: 'typed', lines });
const elsewhere = (test: string): Way => ({ kind: 'elsewhere', test });
const formula: Way = { kind: 'shown', what: 'a formula', says: /[<≥+∞]/ };

/** A run against a deployment: without filling a window, by a service with short ones. */
const light = '--light --allow-partial --window 2 --no-history';
const verdict = /^(?:CONFORMANT|INCONCLUSIVE): /m;
/** The embedded service, held to a document in short windows, in which some clauses may stay open. */
const short: Typed = { more: '--window 3 --load none --no-history', ends: [0, 3], says: verdict };

const drive: Typed = { more: '--only valid', says: /^PASSED: 5 of 5 cases passed/m };
const documentInit: Typed = { more: '--yes', says: /my-api\.yaml/ };
const secret: Typed = { says: /^$/ };

/**
 * Every block of every page, by its first words, in the order of the page. A block that is missing here fails a test, and so
 * does one that does not do what stands here.
 */
export const ways: Readonly<Record<string, readonly (readonly [beginning: string, way: Way])[]>> = {
  'README.md': [
    ['npm ci && npm start', elsewhere('.ci/run')],
    ['npm run conformance -- init', typed({ says: /^wrote {3}conformance\.config\.ts$/m })],
    // The reference service has no list of messages, which init takes for usual: doctor finds that.
    ['npm run conformance -- doctor', typed({ more: '--no-load', ends: [3], says: /messages/ })],
    ['npm start -- --url', typed({ more: light, says: verdict })],
    ['npm run conformance -- document init', typed(documentInit)],
  ],
  'CONTRIBUTING.md': [['flowchart LR', { kind: 'shown', what: 'a diagram', says: /contract\[contract<br>/ }]],
  'docs/backoff.md': [
    [
      'npm run conformance -- tune',
      typed({ more: '--clients 3 --jobs 60', says: /window mirror[\s\S]*import .* from 'got'/ }),
    ],
    [
      'npm run conformance -- clients',
      typed({ more: '--port 0', ends: [0, 3], says: /proving ground on http/, until: 'proving ground on' }),
    ],
    ['import { Agent, setGlobalDispatcher }', { kind: 'program' }],
  ],
  'docs/commands.md': [
    ['export HOOK=…', typed(secret, drive)],
    [
      'npm run conformance -- serve --nodes 3',
      typed({ more: '--port 0', says: /(?:http:\S+[\s\S]*){3}/, until: 'Ctrl-C ends it.' }),
    ],
    [
      'held          limits.messages',
      { kind: 'shown', what: 'what a run prints', says: /^held +window\.length +the/m },
    ],
    [
      'algorithm   token-bucket',
      { kind: 'shown', what: 'what identify prints', says: /^limit +20 in 10 s/m },
    ],
  ],
  'docs/documents.md': [
    ['version: 1', { kind: 'document', example: 'documents/examples/search.yaml' }],
    ['npm run conformance -- document check', typed({ says: /search +40 in any 60 s/ })],
    ['npm run conformance -- clauses', typed({ says: /limits\.search/ })],
    ['npm run conformance -- run', typed(short)],
    ['npm run conformance -- plan', typed({ says: /\/search/ })],
    ['npm run conformance -- document init', typed(documentInit)],
    [
      'npm run conformance -- document from-openapi',
      typed({ more: '--out described.yaml', says: /described\.yaml/ }),
    ],
    ['npm run conformance -- document check my-api', typed({ says: /^todo {2}my-api\.yaml:\d+:\d+ /m })],
    ['npm run conformance -- document schema', typed({ says: /"scopes"/ })],
    ['refusal:', { kind: 'document', example: null }],
    ['headers:', { kind: 'document', example: null }],
    ['errors: none', { kind: 'document', example: null }],
    ['countedBy:', { kind: 'document', example: null }],
    ['sentences:', { kind: 'document', example: null }],
    ['headers:', { kind: 'document', example: null }],
    ['scopes:', { kind: 'document', example: null }],
    ['scopes:', { kind: 'document', example: null }],
    ['scopes:', { kind: 'document', example: null }],
    ['scopes:', { kind: 'document', example: null }],
    ['scopes:', { kind: 'document', example: null }],
    ['scopes:', { kind: 'document', example: null }],
    [
      'npm run conformance -- load',
      typed({
        needs: 'k6',
        more: '--window 4',
        ends: [3],
        says: /^ .*burst +done[\s\S]*^ .*over-pressure +done/m,
      }),
    ],
  ],
  'docs/image.md': [
    [
      'docker build',
      { kind: 'container', lines: [{ more: `${light} --profile reference`, ends: [0], says: verdict }] },
    ],
  ],
  'docs/kubernetes.md': [
    ['npm run -s conformance -- kubernetes', typed({ says: /^kind: TestRun$/m })],
    ['kubectl create secret', { kind: 'container', lines: [] }],
    ['kubectl apply', elsewhere('scripts/tests/operator.test.ts')],
  ],
  'docs/load.md': [
    [
      'npm run conformance -- load',
      typed(
        { says: /^over-pressure +2700 requests/m },
        {
          needs: 'k6',
          more: '--window 2',
          ends: [3],
          says: /^ .*over-pressure[\s\S]*^ .*sustained[\s\S]*^INCONCLUSIVE: /m,
        },
        // Sent, these are 9,000 requests in 50 s: the scripts that would send them are written, with an address for a second node.
        {
          more: '--profile reference --url http://127.0.0.1:9 --bundle scripts',
          says: /nodes\.js: \d+ requests/,
        },
      ),
    ],
    ['export API_KEY=', elsewhere('scripts/package/package.test.ts')],
    ['rm -f trace.ndjson', elsewhere('scripts/package/package.test.ts')],
  ],
  'docs/own-tests.md': [
    ['import { expect, test }', elsewhere('scripts/package/package.test.ts')],
    ['import { test } from', elsewhere('scripts/package/package.test.ts')],
    ['// limit.test.mjs', elsewhere('scripts/package/package.test.ts')],
    ['node --experimental-vm-modules', elsewhere('scripts/package/package.test.ts')],
  ],
  'docs/package.md': [
    ['npm pack', elsewhere('scripts/package/package.test.ts')],
    ['// conformance.config.mts', elsewhere('scripts/package/package.test.ts')],
    ['// judge.mts', elsewhere('scripts/package/package.test.ts')],
    ['// identify.mts', elsewhere('scripts/package/package.test.ts')],
    ['// paced.mts', elsewhere('scripts/package/package.test.ts')],
    ['// paced-document.mts', elsewhere('scripts/package/package.test.ts')],
    ['// webhooks.mts', elsewhere('scripts/package/package.test.ts')],
  ],
  'docs/performance.md': Array.from({ length: 10 }, () => [
    'xychart-beta',
    { kind: 'shown', what: 'a chart', says: /^ {2}line \[/m },
  ]),
  'docs/settings.md': [['// conformance.config.ts', { kind: 'settings' }]],
  'docs/trace.md': [
    ['python3 docs/trace/write_trace.py', elsewhere('scripts/tests/judge-stdin.test.ts')],
    ['go run docs/trace/write_trace.go', elsewhere('scripts/tests/judge-stdin.test.ts')],
  ],
  'docs/transports.md': Array.from({ length: 6 }, () => [
    'npm start -- --url|HTTPS_PROXY=',
    elsewhere('scripts/tests/transport.test.ts'),
  ]),
  'docs/verdicts.md': [
    ['{"kind":"trace"', { kind: 'trace header' }],
    ...[
      'low  =',
      'max(high)',
      'high(x)',
      'number of entries',
      'number of entries',
      'E(t)',
      'longest',
      'surely counted',
      'at most',
      'low(r)',
    ].map((first) => [first, formula] as const),
    ['python3 proof/certificates/check.py', elsewhere('proof/certificates/checker.test.ts')],
  ],
  'docs/webhooks.md': [
    ['export HOOK=…', typed(secret, drive)],
    ['GET <effects>', { kind: 'shown', what: 'a request that the receiver answers', says: /"handled"/ }],
    [
      'npm run conformance -- webhooks send',
      typed(
        { says: /202|200/ }, // Of another secret.
        { ends: [1], says: /^DOES NOT VERIFY$/m },
        { says: /200|202|204/ },
      ),
    ],
    [
      'npm run conformance -- webhooks capture',
      typed({ more: '--port 0 --for 0.2', ends: [3], says: verdict }),
    ],
    ['export HOOK=…', typed(secret, { more: '--port 0', says: /service on http/, until: 'Ctrl-C ends it.' })],
  ],
};
