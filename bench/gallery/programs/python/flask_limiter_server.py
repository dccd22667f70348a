"""Flask-Limiter in Flask, with a strategy of limits and its store in memory."""

from flask import Flask, request
from flask_limiter import Limiter

from rule import Rule


def build(rule: Rule):
    app = Flask(__name__)
    limiter = Limiter(
        lambda: request.headers.get("authorization", ""),
        app=app,
        storage_uri="memory://",
        strategy=rule.setting,
        headers_enabled=True,
    )

    @app.get("/v1/media")
    @limiter.limit(f"{rule.limit} per {rule.seconds} second")
    def media():
        return {"success": True, "data": {}}

    return "wsgi", app
