import { debianVersion } from '../debian.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { type Rule, ruleOf } from '../rule.ts';
import { serveOnLoopback } from '../serve-on-loopback.ts';
import { type Place, startInFolder } from '../temporary-server.ts';
import { type Truth, truthOf } from '../truth.ts';

const common = {
  library: 'nginx',
  origin: 'Debian',
  version: () => debianVersion('nginx'),
  request: plainRequest,
} as const;

/** Arguments of `limit_req` besides the zone, and of `limit_req_status`, which is 503 where nothing is said. */
type Setting = {
  readonly burst?: number;
  readonly isDelayed?: true;
  readonly status?: 429;
  readonly rule: Rule;
};

/** nginx's `limit_req`, which reckons a rate in thousandths of a request a second. */
export function nginxLimitReq(setting: Setting): Peer {
  const { burst, isDelayed, status, rule } = setting;
  const words = [
    `limit_req, ${burst === undefined ? 'no burst' : `burst=${burst}`}`,
    ...(burst === undefined || isDelayed === true ? [] : ['nodelay']),
    ...(status === undefined ? [] : [`status ${status}`]),
  ];
  return {
    ...common,
    setting: words.join(', '),
    rule,
    truth: (kept) => limitReqTruth(setting, kept),
    refusal: status ?? 503,
    start: ({ rule: kept }) => startInFolder((place) => nginx(place, limitReq(place, setting, kept))),
  };
}

/** What passes at once is the burst and one; it comes back at the rate. What queues is described by its rate. */
function limitReqTruth({ burst, isDelayed }: Setting, kept: Rule): Truth {
  const source = 'src/http/modules/ngx_http_limit_req_module.c, ngx_http_limit_req_lookup';
  if (isDelayed === true) return truthOf('leaky bucket (queue)', source)(kept);
  const { limit, windowMs } = kept;
  const atOnce = (burst ?? 0) + 1;
  const refusing = atOnce === limit ? 'token bucket / GCRA' : 'leaky bucket';
  const windowSeconds = (atOnce * windowMs) / limit / 1_000;
  return truthOf(refusing, source, { limit: atOnce, windowSeconds })(kept);
}

function limitReq(
  { folder }: Place,
  { burst, isDelayed, status }: Setting,
  { limit, windowMs }: Rule,
): Limited {
  const perMinute = (limit * 60_000) / windowMs;
  if (!Number.isInteger(perMinute)) throw new Error(`nginx takes whole requests a minute, not ${perMinute}`);
  const words = [
    'zone=keys',
    ...(burst === undefined ? [] : [`burst=${burst}`]),
    ...(burst === undefined || isDelayed === true ? [] : ['nodelay']),
  ];
  const refusing = status === undefined ? '' : `limit_req_status ${status};`;
  return {
    zone: `limit_req_zone $http_authorization zone=keys:1m rate=${perMinute}r/m;`,
    location: `limit_req ${words.join(' ')}; ${refusing} alias ${folder}/answer.json;`,
  };
}

/** nginx's `limit_conn` before a service that takes its time: so many requests in flight at once. */
export const nginxLimitConn: Peer = {
  ...common,
  setting: 'limit_conn',
  rule: ruleOf(10, 60),
  truth: truthOf('concurrency limit', 'src/http/modules/ngx_http_limit_conn_module.c', {
    windowSeconds: null,
  }),
  refusal: 429,
  start: async ({ rule: { limit } }) => {
    const slow = await serveOnLoopback((_request, response) => {
      setTimeout(() => response.end(JSON.stringify(successBody)), workMs);
    });
    const limited = {
      zone: 'limit_conn_zone $http_authorization zone=keys:1m;',
      location: `limit_conn keys ${limit}; limit_conn_status 429; proxy_pass ${slow.url};`,
    };
    try {
      const { url, close } = await startInFolder((place) => nginx(place, limited));
      return { url, close: () => close().finally(() => slow.close()) };
    } catch (error) {
      await slow.close();
      throw error;
    }
  },
};

const workMs = 300;

type Limited = { readonly zone: string; readonly location: string };

function nginx({ folder, port }: Place, { zone, location }: Limited) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const configuration = `
# With neither master nor workers it is one process: ending that ends all of it.
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_timeout 600s;
  keepalive_requests 100000;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  ${zone}
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location = ${limitedPath} {
      default_type application/json;
      ${location}
    }
  }
}
`;
  return {
    files: { 'nginx.conf': configuration, 'answer.json': JSON.stringify(successBody) },
    program: { command: 'nginx', args: ['-p', folder, '-c', `${folder}/nginx.conf`, '-e', 'stderr'] },
  };
}
