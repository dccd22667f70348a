import { debianVersion } from '../debian.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { type Rule, ruleOf } from '../rule.ts';
import { startInFolder } from '../temporary-server.ts';
import { truthOf } from '../truth.ts';

const common = {
  library: 'Symfony RateLimiter',
  origin: 'Debian',
  version: () => debianVersion('php-symfony-rate-limiter'),
  refusal: 429,
  request: plainRequest,
} as const;

const folder = 'Symfony/Component/RateLimiter/Policy';

/** PHP's limiters of Symfony, with their states in files and locks that all requests share, as an application has them. */
export const symfonyFixedWindow: Peer = {
  ...ofPolicy('fixed_window'),
  rule: ruleOf(300, 60),
  truth: truthOf('fixed window (from the first request)', `${folder}/Window.php, add`),
};

export const symfonySlidingWindow: Peer = {
  ...ofPolicy('sliding_window'),
  rule: ruleOf(120, 60),
  truth: truthOf('sliding window counter', `${folder}/SlidingWindow.php, getHitCount`),
};

export const symfonyTokenBucket: Peer = {
  ...common,
  setting: 'token_bucket, refilled six times a window',
  rule: ruleOf(120, 60),
  truth: truthOf('token bucket / GCRA', `${folder}/TokenBucket.php, getAvailableTokens`),
  start: ({ rule }) =>
    served(
      rule,
      ({ limit, seconds }) =>
        `'policy' => 'token_bucket', 'limit' => ${limit}, 'rate' => ['interval' => '${seconds / 6} seconds', 'amount' => ${limit / 6}]`,
    ),
};

/** Those that count in a window. */
function ofPolicy(policy: 'fixed_window' | 'sliding_window'): Omit<Peer, 'rule' | 'truth'> {
  return {
    ...common,
    setting: policy,
    start: ({ rule }) =>
      served(
        rule,
        ({ limit, seconds }) =>
          `'policy' => '${policy}', 'limit' => ${limit}, 'interval' => '${seconds} seconds'`,
      ),
  };
}

function served({ limit, windowMs }: Rule, configured: (rule: { limit: number; seconds: number }) => string) {
  return startInFolder(({ folder, port }) => ({
    files: {
      'serve.php': `<?php
foreach (['RateLimiter', 'Cache', 'Lock'] as $part) require_once "Symfony/Component/$part/autoload.php";
use Symfony\\Component\\Cache\\Adapter\\FilesystemAdapter;
use Symfony\\Component\\Lock\\LockFactory;
use Symfony\\Component\\Lock\\Store\\FlockStore;
use Symfony\\Component\\RateLimiter\\RateLimiterFactory;
use Symfony\\Component\\RateLimiter\\Storage\\CacheStorage;

header('Content-Type: application/json');
if ($_SERVER['REQUEST_URI'] !== '${limitedPath}') { http_response_code(404); exit; }
$factory = new RateLimiterFactory(
  ['id' => 'key', ${configured({ limit, seconds: windowMs / 1_000 })}],
  new CacheStorage(new FilesystemAdapter('', 0, '${folder}/states')),
  new LockFactory(new FlockStore('${folder}')),
);
$accepted = $factory->create($_SERVER['HTTP_AUTHORIZATION'] ?? '')->consume()->isAccepted();
if ($accepted) echo '${JSON.stringify(successBody)}'; else http_response_code(429);
`,
    },
    program: { command: 'php', args: ['-S', `127.0.0.1:${port}`, `${folder}/serve.php`] },
  }));
}
