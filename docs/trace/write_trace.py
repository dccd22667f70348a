"""Writes what a limit answers as a trace: python3 write_trace.py URL LIMIT WINDOW_SECONDS | conformance judge --stdin"""
import json, sys, time, urllib.error, urllib.parse, urllib.request
url, limit, window = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
parts = urllib.parse.urlsplit(url)
base, path = f"{parts.scheme}://{parts.netloc}", parts.path or "/"
offset = time.time() - time.monotonic()
now = lambda: (time.monotonic() + offset) * 1000  # ms since the epoch, by a clock that never steps
stamp = lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
say = lambda line: print(json.dumps(line))
document = {"version": 1, "title": "my limit", "windowSeconds": window, "headers": "none", "errors": "none", "keys": "none",
            "scopes": {"endpoint": {"title": path, "limit": limit}}}
say({"kind": "trace", "schemaVersion": 1, "tool": {"name": "write_trace.py", "version": "1"}, "runId": "1", "startedAt": stamp(),
     "mode": "full", "windowMs": window * 1000, "limits": {"endpoint": limit}, "keys": ["A"],
     "deployment": {"document": document, "baseUrls": [base], "keyEnv": ["NO_KEY"], "windowSeconds": window, "requests": {"endpoint": {"path": path}}},
     "clocks": [{"id": "python", "kind": "monotonic", "offsetMsMax": 0}], "plan": {"requestsMax": 3 * limit, "peakRequestsPerSecond": limit, "seconds": 3 * window}})
def outcome_of(status):
    if status is None: return "indeterminate"
    return "admitted" if status < 300 else "limited" if status == 429 else "refused"
def ask(index):
    sent = now()
    try: status = urllib.request.urlopen(url).status
    except urllib.error.HTTPError as refused: status = refused.code
    except OSError: status = None  # no answer
    say({"kind": "exchange", "index": index, "driver": "undici", "clock": "python", "scope": "endpoint", "route": "main", "key": "A", "credential": "valid",
         "node": 0, "purpose": "test", "requestId": str(index), "method": "GET", "path": path, "sentMs": sent, "receivedMs": now() if status else None, "wallSentMs": None,
         "wallReceivedMs": None, "status": status, "headers": {"limit": None, "remaining": None, "reset": None}, "retryAfter": None, "date": None,
         "contentType": None, "body": None, "failure": None, "outcome": outcome_of(status)})
for index in range(2 * limit + 4):
    if index == limit + 2: time.sleep(window * 1.01 + 1)  # a window later, and the second from which on refusals prove something
    ask(index)
say({"kind": "end", "endedAt": stamp(), "complete": True, "reason": None})
