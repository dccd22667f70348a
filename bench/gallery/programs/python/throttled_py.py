"""throttled-py: its five algorithms, in memory."""

from datetime import timedelta

from throttled import Throttled, rate_limiter, store

from guard import guarded
from rule import Rule


def build(rule: Rule):
    throttle = Throttled(
        using=rule.setting,
        quota=rate_limiter.per_duration(timedelta(seconds=rule.seconds), rule.limit, burst=rule.limit),
        store=store.MemoryStore(),
    )

    async def decide(key: str) -> bool:
        return not throttle.limit(key).limited

    return guarded(decide)
