"""Serves one limiter on loopback: serve.py NAME --limit N --seconds W --port P [--redis PORT].

NAME is a module of this folder and a setting of it, "throttled_py:token_bucket". Each module has `build(rule)`, which
gives an ASGI or a WSGI application that limits GET /v1/media for each Authorization header.
"""

import argparse
import importlib

from rule import Rule


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--limit", type=int, required=True)
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--redis", type=int, default=0)
    given = parser.parse_args()
    module, _, setting = given.name.partition(":")
    rule = Rule(given.limit, given.seconds, setting, f"redis://127.0.0.1:{given.redis}")
    protocol, app = importlib.import_module(module).build(rule)
    if protocol == "asgi":
        import uvicorn

        uvicorn.run(
            app, host="127.0.0.1", port=given.port, log_level="warning", backlog=1024, timeout_keep_alive=600
        )
    else:
        import waitress

        # One thread: these limiters count in the memory of one process, some of them without a lock.
        waitress.serve(
            app, host="127.0.0.1", port=given.port, threads=1, connection_limit=2000, backlog=1024, channel_timeout=600
        )


if __name__ == "__main__":
    main()
