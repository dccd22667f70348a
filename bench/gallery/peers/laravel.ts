import { debianVersion } from '../debian.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { startInFolder } from '../temporary-server.ts';
import { truthOf } from '../truth.ts';

/** PHP's middleware of Laravel, with its counts in files. */
export const laravelThrottle: Peer = {
  library: 'Laravel, ThrottleRequests',
  origin: 'Debian',
  setting: 'file cache',
  rule: ruleOf(120, 60),
  truth: truthOf(
    'fixed window (from the first request)',
    'Illuminate/Cache/RateLimiter.php, hit: by whole seconds',
  ),
  version: () => debianVersion('php-illuminate-routing'),
  refusal: 429,
  request: plainRequest,
  start: ({ rule: { limit, windowMs } }) =>
    startInFolder(({ folder, port }) => ({
      files: { 'serve.php': source({ folder, limit, minutes: windowMs / 60_000 }) },
      program: { command: 'php', args: ['-S', `127.0.0.1:${port}`, `${folder}/serve.php`] },
    })),
};

type Served = { readonly folder: string; readonly limit: number; readonly minutes: number };

function source({ folder, limit, minutes }: Served): string {
  return `<?php
foreach (['Cache', 'Routing', 'Http', 'Filesystem'] as $part) require_once "Illuminate/$part/autoload.php";
use Illuminate\\Cache\\FileStore;
use Illuminate\\Cache\\RateLimiter;
use Illuminate\\Cache\\Repository;
use Illuminate\\Filesystem\\Filesystem;
use Illuminate\\Http\\Exceptions\\ThrottleRequestsException;
use Illuminate\\Http\\JsonResponse;
use Illuminate\\Http\\Request;
use Illuminate\\Routing\\Middleware\\ThrottleRequests;

final class User {
  public function __construct(private string $key) {}
  public function getAuthIdentifier() { return $this->key; }
}
if ($_SERVER['REQUEST_URI'] !== '${limitedPath}') { http_response_code(404); exit; }
$request = Request::capture();
$request->setUserResolver(fn () => new User($request->header('Authorization', '')));
$limiter = new RateLimiter(new Repository(new FileStore(new Filesystem, '${folder}/counts')));
try {
  $response = (new ThrottleRequests($limiter))->handle(
    $request,
    fn () => new JsonResponse(json_decode('${JSON.stringify(successBody)}')),
    ${limit},
    ${minutes},
  );
} catch (ThrottleRequestsException $refused) {
  $response = new JsonResponse(['message' => $refused->getMessage()], 429, $refused->getHeaders());
}
$response->send();
`;
}
