import { join } from 'node:path';
import type { Peer } from '../peer.ts';
import { programPeers } from '../program-peer.ts';
import { installed, readSource } from '../programs.ts';
import { ruleOf } from '../rule.ts';
import { truthOf } from '../truth.ts';

/** Limiters written in Rust; one program holds them all. */
export const rustServers: readonly Peer[] = programPeers(
  [
    {
      library: 'governor',
      setting: '',
      program: 'governor',
      rule: ruleOf(300, 45),
      truth: truthOf('token bucket / GCRA', 'src/gcra.rs, test_and_update'),
    },
    {
      library: 'tower_governor',
      setting: '',
      program: 'tower-governor',
      rule: ruleOf(30, 60),
      truth: truthOf('token bucket / GCRA', 'src/lib.rs: governor'),
    },
    {
      library: 'leaky-bucket',
      setting: 'try_acquire',
      program: 'leaky-bucket',
      rule: ruleOf(120, 60),
      truth: truthOf('token bucket / GCRA', 'src/lib.rs, calculate_drain: by whole tokens'),
    },
    {
      library: 'ratelimit',
      setting: '',
      program: 'ratelimit',
      rule: ruleOf(300, 60),
      truth: truthOf('token bucket / GCRA', 'src/lib.rs, refill'),
    },
    {
      library: 'pingora-limits',
      setting: 'Rate, observe',
      program: 'pingora',
      rule: ruleOf(120, 60),
      truth: truthOf('fixed window (from the first request)', 'src/rate.rs, maybe_reset'),
    },
    {
      library: 'pingora-limits',
      setting: 'Rate, proportional',
      program: 'pingora-proportional',
      rule: ruleOf(120, 60),
      truth: truthOf('sliding window counter', 'src/rate.rs, rate_with: an interval begins with a request'),
    },
    {
      library: 'actix-extensible-rate-limit',
      setting: 'in memory',
      program: 'actix',
      rule: ruleOf(30, 60),
      truth: truthOf('fixed window (from the first request)', 'src/backend/memory.rs, request'),
    },
    {
      library: 'salvo',
      setting: 'FixedGuard',
      program: 'salvo-fixed',
      rule: ruleOf(120, 45),
      truth: truthOf(
        'fixed window (from the first request)',
        'salvo-rate-limiter, src/fixed_guard.rs, verify',
      ),
    },
    {
      library: 'salvo',
      setting: 'SlidingGuard, six cells',
      program: 'salvo-sliding',
      rule: ruleOf(120, 60),
      truth: truthOf(
        'sliding window in cells, rejections count',
        'salvo-rate-limiter, src/sliding_guard.rs, verify',
        {
          rejections: 'take a place',
        },
      ),
    },
  ],
  {
    origin: 'crates.io',
    pinned,
    programOf: async (program, { limit, seconds }, { port }) => {
      const folder = await installed('rust');
      const args = [program, limit, seconds, port].map(String);
      return { command: join(folder, 'target/debug/gallery'), args, folder };
    },
  },
);

async function pinned(library: string): Promise<string> {
  const lines = (await readSource('rust', 'Cargo.toml')).split('\n');
  const version = lines.find((line) => line.startsWith(`${library} =`))?.match(/"=(\d[^"]*)"/)?.[1];
  if (version === undefined) throw new Error(`programs/rust/Cargo.toml does not name ${library}`);
  return version;
}
