import { join } from 'node:path';
import type { Peer } from '../peer.ts';
import { programPeers } from '../program-peer.ts';
import { installed, readSource } from '../programs.ts';
import { ruleOf } from '../rule.ts';
import { truthOf } from '../truth.ts';

/** Limiters of PyPI, each in a process of its own, under uvicorn or waitress. */
export const pythonServers: readonly Peer[] = programPeers(
  [
    {
      library: 'limits',
      setting: 'fixed-window',
      program: 'limits_library:fixed',
      rule: ruleOf(120, 60),
      truth: truthOf('fixed window (from the first request)', 'limits/storage/memory.py, incr'),
    },
    {
      library: 'limits',
      setting: 'moving-window',
      program: 'limits_library:moving',
      rule: ruleOf(300, 45),
      truth: truthOf('sliding window log', 'limits/storage/memory.py, acquire_entry'),
    },
    {
      library: 'limits',
      setting: 'sliding-window-counter',
      program: 'limits_library:sliding',
      rule: ruleOf(120, 60),
      truth: truthOf('sliding window counter', 'limits/storage/memory.py, acquire_sliding_window_entry'),
    },
    {
      library: 'throttled-py',
      setting: 'fixed window',
      program: 'throttled_py:fixed_window',
      rule: ruleOf(300, 60),
      truth: truthOf('fixed window (wall clock)', 'throttled/rate_limiter/fixed_window.py, _prepare'),
    },
    {
      library: 'throttled-py',
      setting: 'sliding window',
      program: 'throttled_py:sliding_window',
      rule: ruleOf(120, 45),
      truth: truthOf('sliding window counter', 'throttled/rate_limiter/sliding_window.py, _do'),
    },
    {
      library: 'throttled-py',
      setting: 'token bucket',
      program: 'throttled_py:token_bucket',
      rule: ruleOf(120, 60),
      truth: truthOf('token bucket / GCRA', 'throttled/rate_limiter/token_bucket.py, _do: by whole seconds'),
    },
    {
      library: 'throttled-py',
      setting: 'leaking bucket',
      program: 'throttled_py:leaking_bucket',
      rule: ruleOf(300, 60),
      truth: truthOf(
        'token bucket / GCRA',
        'throttled/rate_limiter/leaking_bucket.py, _do: by whole seconds',
      ),
    },
    {
      library: 'throttled-py',
      setting: 'GCRA',
      program: 'throttled_py:gcra',
      rule: ruleOf(120, 45),
      truth: truthOf('token bucket / GCRA', 'throttled/rate_limiter/gcra.py, _do'),
    },
    {
      library: 'pyrate-limiter',
      setting: 'InMemoryBucket',
      program: 'pyrate',
      rule: ruleOf(120, 60),
      truth: truthOf('sliding window log', 'pyrate_limiter/buckets/in_memory_bucket.py, put'),
    },
    {
      library: 'pyrate-limiter',
      setting: 'two rates: 12 in a second too',
      program: 'pyrate:stacked',
      rule: ruleOf(120, 60),
      truth: truthOf('sliding window log', 'pyrate_limiter/buckets/in_memory_bucket.py, put', {
        shorter: { limit: 12, windowSeconds: 1 },
      }),
    },
    {
      library: 'aiolimiter',
      setting: 'has_capacity',
      program: 'aiolimiter_server',
      rule: ruleOf(30, 60),
      truth: truthOf('token bucket / GCRA', 'aiolimiter/leakybucket.py, _leak'),
    },
    {
      library: 'ratelimit',
      setting: '',
      program: 'ratelimit_decorator',
      rule: ruleOf(300, 60),
      truth: truthOf('fixed window (from the first request)', 'ratelimit/decorators.py, wrapper'),
    },
    {
      library: 'slowapi',
      setting: 'fixed-window',
      program: 'slowapi_server:fixed-window',
      rule: ruleOf(30, 60),
      truth: truthOf('fixed window (from the first request)', 'limits/storage/memory.py, incr'),
    },
    {
      library: 'Flask-Limiter',
      setting: 'moving-window',
      program: 'flask_limiter_server:moving-window',
      rule: ruleOf(120, 60),
      truth: truthOf('sliding window log', 'limits/storage/memory.py, acquire_entry'),
    },
    {
      library: 'Flask-Limiter',
      setting: 'sliding-window-counter',
      program: 'flask_limiter_server:sliding-window-counter',
      rule: ruleOf(30, 60),
      truth: truthOf('sliding window counter', 'limits/storage/memory.py, acquire_sliding_window_entry'),
    },
    {
      library: 'django-ratelimit',
      setting: '',
      program: 'django_server:ratelimit',
      rule: ruleOf(120, 60),
      truth: truthOf('fixed window (own phase)', 'django_ratelimit/core.py, _get_window'),
    },
    {
      library: 'djangorestframework',
      setting: 'SimpleRateThrottle',
      program: 'django_server:rest',
      rule: ruleOf(300, 60),
      truth: truthOf('sliding window log', 'rest_framework/throttling.py, allow_request'),
    },
    {
      library: 'quart-rate-limiter',
      setting: '',
      program: 'quart_server',
      rule: ruleOf(300, 60),
      truth: truthOf('token bucket / GCRA', 'quart_rate_limiter/__init__.py, _raise_on_rejection'),
    },
    {
      library: 'litestar',
      setting: 'RateLimitMiddleware',
      program: 'litestar_server',
      rule: ruleOf(120, 60),
      truth: truthOf(
        'fixed window (from the first request)',
        'litestar/middleware/rate_limit.py, retrieve_cached_history: by whole seconds',
      ),
    },
  ],
  {
    origin: 'PyPI',
    pinned,
    programOf: async (program, { limit, seconds }, { port }) => {
      const folder = await installed('python');
      const named = Object.entries({ limit, seconds, port });
      const flags = named.flatMap(([name, value]) => [`--${name}`, String(value)]);
      return { command: join(folder, 'venv/bin/python'), args: ['serve.py', program, ...flags], folder };
    },
  },
);

async function pinned(library: string): Promise<string> {
  const requirements = await readSource('python', 'requirements.txt');
  const line = requirements
    .split('\n')
    .find((one) => one.toLowerCase().startsWith(`${library.toLowerCase()}==`));
  if (line === undefined) throw new Error(`programs/python/requirements.txt does not name ${library}`);
  return line.slice(library.length + 2);
}
