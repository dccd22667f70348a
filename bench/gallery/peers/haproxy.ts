import { debianVersion } from '../debian.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { type Place, startInFolder } from '../temporary-server.ts';
import { truthOf } from '../truth.ts';

const common = {
  library: 'haproxy',
  origin: 'Debian',
  version: () => debianVersion('haproxy'),
  refusal: 429,
  request: plainRequest,
} as const;

const source = 'include/haproxy/freq_ctr.h, freq_ctr_total: the period before counts by what is left of it';

/** The stick table counts each request before the rule looks at the rate: refused ones too. */
export const haproxyRequestRate: Peer = {
  ...common,
  setting: 'http_req_rate',
  rule: ruleOf(120, 60),
  truth: truthOf('sliding window counter, rejections count', source, { rejections: 'take a place' }),
  start: ({ rule }) =>
    startInFolder((place) =>
      haproxy(place, {
        stores: `http_req_rate(${rule.windowMs}ms)`,
        rules: [refusing(`sc_http_req_rate(0) gt ${rule.limit}`)],
      }),
    ),
};

/** A counter that only admitted requests raise. */
export const haproxyOwnCounter: Peer = {
  ...common,
  setting: 'gpc0_rate',
  rule: ruleOf(300, 45),
  truth: truthOf('sliding window counter', source),
  start: ({ rule }) =>
    startInFolder((place) =>
      haproxy(place, {
        stores: `gpc0,gpc0_rate(${rule.windowMs}ms)`,
        rules: [refusing(`sc_gpc0_rate(0) ge ${rule.limit}`), 'http-request sc-inc-gpc0(0)'],
      }),
    ),
};

/** A count that falls to nothing only after a window without any request: each one keeps its entry alive. */
export const haproxyRequestCount: Peer = {
  ...common,
  setting: 'http_req_cnt, expire',
  rule: ruleOf(120, 60),
  truth: truthOf(
    'block prolonged by retries',
    'doc/configuration.txt, stick-table: the expiration is refreshed each time the entry is matched',
    { rejections: 'prolong the block' },
  ),
  start: ({ rule }) =>
    startInFolder((place) =>
      haproxy(place, {
        stores: 'http_req_cnt',
        expireMs: rule.windowMs,
        rules: [refusing(`sc_http_req_cnt(0) gt ${rule.limit}`)],
      }),
    ),
};

function refusing(condition: string): string {
  return `http-request deny deny_status 429 if { ${condition} }`;
}

type Counted = {
  readonly stores: string;
  readonly rules: readonly string[];
  /** When a key that sends nothing is forgotten, ms. */
  readonly expireMs?: number;
};

function haproxy({ folder, port }: Place, { stores, rules, expireMs }: Counted) {
  const configuration = `
global
  maxconn 2000
defaults
  mode http
  timeout client 600s
  timeout http-keep-alive 600s
  timeout http-request 600s
frontend all
  bind 127.0.0.1:${port} backlog 1024
  stick-table type string len 128 size 1k expire ${expireMs ?? hourMs}ms store ${stores}
  http-request deny deny_status 404 if !{ path ${limitedPath} }
  http-request track-sc0 req.hdr(authorization)
${rules.map((rule) => `  ${rule}`).join('\n')}
  http-request return status 200 content-type application/json string '${JSON.stringify(successBody)}'
`;
  return {
    files: { 'haproxy.cfg': configuration },
    program: { command: 'haproxy', args: ['-db', '-f', `${folder}/haproxy.cfg`] },
  };
}

const hourMs = 3_600_000;
