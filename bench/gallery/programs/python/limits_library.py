"""limits: its three strategies, in memory or in Redis."""

import limits
from limits.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter, SlidingWindowCounterRateLimiter

from guard import guarded
from rule import Rule

STRATEGIES = {
    "fixed": FixedWindowRateLimiter,
    "moving": MovingWindowRateLimiter,
    "sliding": SlidingWindowCounterRateLimiter,
}


def build(rule: Rule):
    strategy, _, store = rule.setting.partition("+")
    storage = limits.storage.storage_from_string(rule.redis_url if store == "redis" else "memory://")
    limiter = STRATEGIES[strategy](storage)
    item = limits.RateLimitItemPerSecond(rule.limit, rule.seconds)

    async def decide(key: str) -> bool:
        return limiter.hit(item, key)

    return guarded(decide)
