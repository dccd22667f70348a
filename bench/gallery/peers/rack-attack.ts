import { debianVersion } from '../debian.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { type Rule, ruleOf } from '../rule.ts';
import { startInFolder } from '../temporary-server.ts';
import { truthOf } from '../truth.ts';

const common = {
  library: 'Rack::Attack',
  origin: 'Debian',
  version: () => debianVersion('ruby-rack-attack'),
  request: plainRequest,
} as const;

/** Ruby's limiter of Rack applications, which Rails has too, under puma. */
export const rackAttackThrottle: Peer = {
  ...common,
  setting: 'throttle',
  rule: ruleOf(120, 60),
  truth: truthOf('fixed window (wall clock)', 'rack/attack/cache.rb, key_and_expiry: by whole seconds'),
  refusal: 429,
  start: ({ rule }) =>
    served(
      ({ limit, seconds }) =>
        `Rack::Attack.throttle('key', limit: ${limit}, period: ${seconds}) { |asked| asked.env['HTTP_AUTHORIZATION'] }`,
      rule,
    ),
};

/** Its ban of who makes so many requests: it begins with the last one that passes. */
export const rackAttackAllow2Ban: Peer = {
  ...common,
  setting: 'Allow2Ban',
  rule: ruleOf(30, 60),
  truth: truthOf('block of fixed length after a refusal', 'rack/attack/allow2ban.rb, fail!'),
  refusal: 403,
  start: ({ rule }) =>
    served(
      ({ limit, seconds }) => `Rack::Attack.blocklist('keys that make too many') do |asked|
  key = asked.env['HTTP_AUTHORIZATION']
  key && Rack::Attack::Allow2Ban.filter(key, maxretry: ${limit}, findtime: ${seconds}, bantime: ${seconds}) { true }
end`,
      rule,
    ),
};

function served(ruled: (rule: { limit: number; seconds: number }) => string, { limit, windowMs }: Rule) {
  return startInFolder(({ folder, port }) => ({
    files: {
      'config.ru': `require 'rack/attack'
require 'active_support'
require 'active_support/cache'
Rack::Attack.cache.store = ActiveSupport::Cache::MemoryStore.new
${ruled({ limit, seconds: windowMs / 1_000 })}
use Rack::Attack
run lambda { |asked|
  next [404, {}, []] if asked['PATH_INFO'] != '${limitedPath}'
  [200, { 'content-type' => 'application/json' }, ['${JSON.stringify(successBody)}']]
}
`,
    },
    program: {
      command: 'puma',
      args: ['--quiet', '-t', '16:16', '-b', `tcp://127.0.0.1:${port}`, `${folder}/config.ru`],
    },
  }));
}
