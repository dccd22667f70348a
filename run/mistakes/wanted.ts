const limits = 'limits, as `[{ limit: 5, windowSeconds: 1 }]`';
const request = 'a request, as `{ method: GET, path: /search }`';
const scope = 'the fields of a scope, as `{ title: /search, limit: 40 }`';

/** What has to stand in a field, with how it is written, by the end of its path. */
const wanted: readonly (readonly [RegExp, string])[] = [
  [/^document$/, 'fields with their values, as docs/documents.md shows them'],
  [/\breset\.unit$/, 'how it is written, as `unit: seconds`'],
  [/^version$/, '1, as `version: 1`'],
  [/^title$/, 'a text, as `title: the search API`'],
  [/^scopes\.[^.]+\.title$/, 'a text, as `title: /search`'],
  [/windowSeconds$/i, 'a number of seconds, as `windowSeconds: 60`'],
  [/^waitSeconds$/, 'a number of seconds, as `waitSeconds: 30`'],
  [/^refusal\.waitSeconds$/, 'a number of seconds, as `waitSeconds: 30`'],
  [/^scopes$/, 'names with their limits, as `search: { title: /search, limit: 40 }`'],
  [/^scopes\.[^.]+$/, scope],
  [/\.limit$/, 'a whole number, as `limit: 40`'],
  [/\.perSecond$/, 'a whole number, as `perSecond: 5`'],
  [/\.size$/, 'a whole number, as `size: 20`'],
  [/\.cost$/, 'a whole number, as `cost: 5`'],
  [/\.bytes$/, 'a whole number, as `bytes: 64`'],
  [/\.also$/, `a list of ${limits}`],
  [/\.also\.\d+$/, 'a limit, as `{ limit: 5, windowSeconds: 1 }`'],
  [/\.paths$/, 'a list, as `paths: [/search]`'],
  [/\.paths\.\d+$/, 'a path, as `/search`'],
  [/\.methods$/, 'a list, as `methods: [GET, HEAD]`'],
  [/\.within$/, 'the name of another scope'],
  [/\.others$/, 'a list of requests, as `[{ request: { path: /items/search }, cost: 5 }]`'],
  [/\.others\.\d+$/, 'a request with its cost, as `{ request: { path: /items/search }, cost: 5 }`'],
  [/\.request$/, request],
  [/^(requests|otherMethods)\.[^.]+$/, request],
  [/^(requests|otherMethods)$/, "names of scopes with their requests, as `{ search: { path: '/search' } }`"],
  [/(request|requests\.[^.]+|otherMethods\.[^.]+)\.path$/, 'a path, as `path: /search`'],
  [
    /(request|requests\.[^.]+|otherMethods\.[^.]+)\.headers$/,
    'names of headers with their values, as `{ Accept: text/plain }`',
  ],
  [/(request|requests\.[^.]+|otherMethods\.[^.]+)\.headers\.[^.]+$/, 'a text in quotes'],
  [/^refusal\.body$/, 'places with their values, as `{ /error/code: slow_down }`'],
  [
    /\.body$/,
    "`{ json: { name: probe } }`, `{ text: 'a=1', contentType: text/plain }` or `{ file: { bytes: 64 } }`",
  ],
  [/^refusal$/, 'what a request over the limit gets, as `{ status: 429 }`'],
  [/^refusal\.body\./, 'a text, a number, true, false or null'],
  [/^refusal\.bodySchema$/, 'a JSON Schema, as `{ type: object }`'],
  [/(\.json|bodySchema|bodyExample)(\..*)?$/, 'a value of JSON'],
  [/^refusal\.waitUntilReset$/, 'true or false'],
  [/^sentences$/, 'ids of clauses with what is said of them, as `limits.search: { level: should }`'],
  [/^sentences\..+\.says$/, 'a text'],
  [/^sentences\..+/, 'says, or level, or both, as `{ level: should }`'],
  [/^baseUrls$/, "a list of addresses, as `baseUrls: ['https://api.example.test']`"],
  [/^keyEnv$/, "a list of names of environment variables, as `keyEnv: ['KEY_A', 'KEY_B']`"],
  [/^breaker$/, 'fields with their values, as `breaker: { failuresInARow: 20 }`'],
  [/^transport$/, "fields with their values, as `transport: { http: '2' }`"],
  [/^transport\.resolve$/, "a list, as `resolve: ['api.example.test:443:127.0.0.1']`"],
];

/** What has to stand in the field at a path of a document or of settings; `null` where nothing more is known than its type. */
export function wantedAt(path: string): string | null {
  const own = path.replace(/^document\.(?=.)/, '');
  return wanted.find(([ends]) => ends.test(own))?.[1] ?? null;
}

/** What else can be written where a number is too high; empty where there is nothing. */
export function insteadAt(path: string): string {
  const isFirstWindow = /^(document\.)?(scopes\.[^.]+\.)?windowSeconds$/.test(path);
  return isFirstWindow ? ': a longer window stands in also, beside the limit of a shorter one' : '';
}
