"""pyrate-limiter: a log in memory, or its token bucket."""

from pyrate_limiter import InMemoryBucket, Limiter, Rate

from guard import guarded
from rule import Rule


def build(rule: Rule):
    limiters: dict[str, Limiter] = {}
    rates = [Rate(rule.limit, rule.seconds * 1000)]
    if rule.setting == "stacked":
        rates = [Rate(12, 1000), *rates]

    async def decide(key: str) -> bool:
        limiter = limiters.setdefault(key, Limiter(InMemoryBucket(rates)))
        return limiter.try_acquire(key, blocking=False)

    return guarded(decide)
