"""Litestar's rate limit middleware; its windows are a second, a minute, an hour or a day."""

from litestar import Litestar, Request, get
from litestar.middleware.rate_limit import DURATION_VALUES, RateLimitConfig

from rule import Rule


@get("/v1/media")
async def media() -> dict:
    return {"success": True, "data": {}}


def identifier(request: Request) -> str:
    return request.headers.get("authorization", "")


def build(rule: Rule):
    unit = next(name for name, seconds in DURATION_VALUES.items() if seconds == rule.seconds)
    config = RateLimitConfig(rate_limit=(unit, rule.limit), identifier_for_request=identifier)
    return "asgi", Litestar([media], middleware=[config.middleware])
