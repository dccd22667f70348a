"""aiolimiter as a guard: a request passes where the bucket has room at once."""

from aiolimiter import AsyncLimiter

from guard import guarded
from rule import Rule


def build(rule: Rule):
    limiters: dict[str, AsyncLimiter] = {}

    async def decide(key: str) -> bool:
        limiter = limiters.setdefault(key, AsyncLimiter(rule.limit, rule.seconds))
        if not limiter.has_capacity():
            return False
        await limiter.acquire()
        return True

    return guarded(decide)
