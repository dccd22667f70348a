"""quart-rate-limiter in Quart."""

from datetime import timedelta

from quart import Quart, request
from quart_rate_limiter import RateLimiter, rate_limit

from rule import Rule


def build(rule: Rule):
    app = Quart(__name__)
    RateLimiter(app)

    async def key() -> str:
        return request.headers.get("authorization", "")

    @app.get("/v1/media")
    @rate_limit(rule.limit, timedelta(seconds=rule.seconds), key_function=key)
    async def media():
        return {"success": True, "data": {}}

    return "asgi", app
