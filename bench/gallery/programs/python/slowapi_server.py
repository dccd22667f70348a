"""slowapi in FastAPI, with a strategy of limits."""

from fastapi import FastAPI, Request
from slowapi import Limiter, _rate_limit_exceeded_handler
from slowapi.errors import RateLimitExceeded

from rule import Rule


def build(rule: Rule):
    limiter = Limiter(key_func=lambda request: request.headers.get("authorization", ""), strategy=rule.setting)
    app = FastAPI()
    app.state.limiter = limiter
    app.add_exception_handler(RateLimitExceeded, _rate_limit_exceeded_handler)

    @app.get("/v1/media")
    @limiter.limit(f"{rule.limit} per {rule.seconds} second")
    async def media(request: Request):
        return {"success": True, "data": {}}

    return "asgi", app
