import { debianVersion } from '../debian.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { startInFolder } from '../temporary-server.ts';
import { truthOf } from '../truth.ts';

/** Varnish with vsthrottle, of Debian's varnish-modules. */
export const varnishVsthrottle: Peer = {
  library: 'Varnish',
  origin: 'Debian',
  setting: 'vsthrottle',
  rule: ruleOf(120, 45),
  truth: truthOf('token bucket / GCRA', 'man 3 vmod_vsthrottle: "implements a token bucket algorithm"'),
  version: () => debianVersion('varnishd'),
  refusal: 429,
  request: plainRequest,
  start: ({ rule: { limit, windowMs } }) =>
    startInFolder(({ folder, port }) => ({
      files: { 'gallery.vcl': vcl(limit, windowMs / 1_000) },
      program: {
        command: 'varnishd',
        args: [
          ...['-F', '-n', `${folder}/work`, '-a', `127.0.0.1:${port}`, '-f', `${folder}/gallery.vcl`],
          ...['-j', 'none', '-s', 'malloc,16m', '-p', 'timeout_idle=600', '-p', 'listen_depth=1024'],
        ],
      },
    })),
};

function vcl(limit: number, seconds: number): string {
  return `vcl 4.0;
import vsthrottle;
backend default none;
sub vcl_recv {
  if (req.url != "${limitedPath}") { return (synth(404)); }
  if (vsthrottle.is_denied(req.http.Authorization, ${limit}, ${seconds}s)) { return (synth(429)); }
  return (synth(200));
}
sub vcl_synth {
  set resp.http.Content-Type = "application/json";
  if (resp.status == 200) { set resp.body = {"${JSON.stringify(successBody)}"}; return (deliver); }
}
`;
}
