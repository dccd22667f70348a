"""A receiver of webhooks on a framework of Python: receiver.py <framework> <port> <right|parsed|unsigned>"""

import hashlib
import hmac
import json
import os
import sys

FRAMEWORK, PORT, VARIANT = sys.argv[1], int(sys.argv[2]), sys.argv[3]
SECRET = os.environ["HOOK"].encode()
HEADER = "X-Service-Signature"


def status_of(raw: bytes, given: str | None) -> int:
    """What is answered to raw bytes and the value of the signature."""
    if VARIANT == "unsigned" and given is None:
        return 200
    signed = json.dumps(json.loads(raw)).encode() if VARIANT == "parsed" else raw
    right = "sha256=" + hmac.new(SECRET, signed, hashlib.sha256).hexdigest()
    # Texts that are not ASCII can only be compared as bytes.
    return 200 if hmac.compare_digest((given or "").encode("latin-1", "replace"), right.encode()) else 401


def standard_library() -> None:
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def body(self) -> bytes:
            if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length", "0")))
            parts = []
            while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)

        def do_POST(self) -> None:
            status = status_of(self.body(), self.headers.get(HEADER))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()


def flask() -> None:
    from flask import Flask, request
    from werkzeug.serving import make_server

    app = Flask(__name__)

    @app.post("/hooks")
    def hooks() -> tuple[str, int]:
        return "", status_of(request.get_data(), request.headers.get(HEADER))

    make_server("127.0.0.1", PORT, app, threaded=True).serve_forever()


def fastapi() -> None:
    import uvicorn
    from fastapi import FastAPI, Request, Response

    app = FastAPI()

    @app.post("/hooks")
    async def hooks(request: Request) -> Response:
        return Response(status_code=status_of(await request.body(), request.headers.get(HEADER)))

    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="critical")


def aiohttp() -> None:
    from aiohttp import web

    async def hooks(request: web.Request) -> web.Response:
        return web.Response(status=status_of(await request.read(), request.headers.get(HEADER)))

    app = web.Application(client_max_size=2 * 1024 * 1024)
    app.router.add_post("/hooks", hooks)
    web.run_app(app, host="127.0.0.1", port=PORT, print=None)


def gunicorn() -> None:
    from gunicorn.app.base import BaseApplication

    def hooks(environ: dict, start_response: object) -> list[bytes]:
        status = status_of(environ["wsgi.input"].read(), environ.get("HTTP_X_SERVICE_SIGNATURE"))
        start_response("200 OK" if status == 200 else "401 Unauthorized", [("Content-Length", "0")])
        return [b""]

    class Application(BaseApplication):
        def load_config(self) -> None:
            # A thread reads a request: as many as there may be slow connections.
            settings = {"bind": f"127.0.0.1:{PORT}", "worker_class": "gthread", "threads": 128, "loglevel": "critical"}
            for name, value in settings.items():
                self.cfg.set(name, value)

        def load(self) -> object:
            return hooks

    Application().run()


{"http.server": standard_library, "flask": flask, "fastapi": fastapi, "aiohttp": aiohttp, "gunicorn": gunicorn}[FRAMEWORK]()
