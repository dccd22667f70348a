"""ratelimit: a decorated function that raises over its limit."""

from ratelimit import RateLimitException, limits

from guard import guarded
from rule import Rule


def build(rule: Rule):
    calls = {}

    async def decide(key: str) -> bool:
        if key not in calls:
            calls[key] = limits(calls=rule.limit, period=rule.seconds)(lambda: None)
        try:
            calls[key]()
            return True
        except RateLimitException:
            return False

    return guarded(decide)
