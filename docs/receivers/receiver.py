"""A receiver of webhooks with Python's standard library only, that passes every case of `conformance webhooks drive`. It
keeps its state in memory: a real receiver puts the event into a queue or a database before it answers.

    WEBHOOK_SECRET=... python3 docs/receivers/receiver.py 3000

During a rotation of the secret, WEBHOOK_SECRET_OLD holds the old one.
"""

import hashlib
import hmac
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

BODY_BYTES_MAX = 4 * 1_048_576
SECRETS = [s for s in (os.environ.get("WEBHOOK_SECRET"), os.environ.get("WEBHOOK_SECRET_OLD")) if s]
if not SECRETS:
    # With an empty secret, everybody could sign.
    sys.exit("WEBHOOK_SECRET is not set")

RANKS = {"sent": 1, "delivered": 2, "read": 3}
messages = {}
lock = threading.Lock()


def is_signed(signature, body):
    for secret in SECRETS:
        digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        # Bytes: compare_digest throws at texts that are not ASCII.
        if hmac.compare_digest(signature.encode("latin-1", "replace"), f"sha256={digest}".encode()):
            return True
    return False


def handle(event, data):
    """Handles each event of a message once, in any order; the state of a message never goes back."""
    with lock:
        message = messages.setdefault(str(data.get("message_id")), {"state": "", "handled": 0, "seen": set()})
        if event in message["seen"]:
            return
        message["seen"].add(event)
        message["handled"] += 1
        state = event.replace("message.", "")
        if RANKS.get(state, 0) >= RANKS.get(message["state"], 0):
            message["state"] = state


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A client that sends a request byte by byte must not hold a connection for ever.
    timeout = 10

    def do_POST(self):
        try:
            # The signature is over the raw bytes, not over parsed JSON.
            body = self.body()
        except EOFError:
            # The sender broke off: there is nobody to answer.
            self.close_connection = True
            return None
        if body is None:
            self.close_connection = True
            return self.answer(413)
        signatures = self.headers.get_all("X-Service-Signature") or []
        # This library leaves white space around a value in place.
        if len(signatures) != 1 or not is_signed(signatures[0].strip(" \t"), body):
            return self.answer(401)
        try:
            envelope = json.loads(body)
            event, data = envelope["event"], envelope["data"]
            is_event = isinstance(event, str) and isinstance(data, dict)
        except (ValueError, KeyError, TypeError):
            is_event = False
        if not is_event:
            return self.answer(400)
        # Answer first, work later: the sender waits only for a short time.
        self.answer(200)
        handle(event, data)

    def do_GET(self):
        """`GET /effects?message_id=...`, for `--effects`. Only tests should be able to reach it."""
        asked = urlsplit(self.path)
        with lock:
            message = messages.get("".join(parse_qs(asked.query).get("message_id", [])))
            told = None if message is None else {"state": message["state"], "handled": message["handled"]}
        if asked.path != "/effects" or told is None:
            return self.answer(404)
        self.answer(200, json.dumps(told).encode())

    def body(self):
        """The whole body; None where it is too long or malformed."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return self.chunks()
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > BODY_BYTES_MAX:
            return None
        return self.exactly(int(length))

    def chunks(self):
        """The standard library does not read chunks (RFC 9112, 7.1)."""
        body = b""
        while len(body) <= BODY_BYTES_MAX:
            try:
                size = int(self.rfile.readline(100).split(b";")[0], 16)
            except ValueError:
                return None
            if not 0 <= size <= BODY_BYTES_MAX:
                return None
            if size == 0:
                while self.rfile.readline(65_537) not in (b"\r\n", b"\n", b""):
                    pass
                return body
            body += self.exactly(size)
            self.exactly(2)
        return None

    def exactly(self, length):
        data = self.rfile.read(length)
        if len(data) < length:
            raise EOFError
        return data

    def answer(self, status, body=b""):
        self.send_response(status)
        if body:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Silent: a line for each request would cost more than the request."""


class Server(ThreadingHTTPServer):
    # Connections that wait to be accepted; the default of five is too few for a burst.
    request_queue_size = 128

    def handle_error(self, request, client_address):
        # A connection that breaks off is not an error of this receiver.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


server = Server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 3000), Receiver)
print(f"receiving on http://127.0.0.1:{server.server_port}/hooks", flush=True)
server.serve_forever()
