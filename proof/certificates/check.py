#!/usr/bin/env python3
"""Checks certificates of violations against their traces: python3 check.py FOLDER [FOLDER ...]; each holds trace.ndjson and evidence/*.json.
Written from docs/verdicts.md alone, and shares nothing with the rest. Exit status: 0 all confirmed, 1 some rejected, 2 nothing to check."""
import bisect, hashlib, json, math, pathlib, re, sys

RHO, Q, G, INF, ABSENT, PROXY = 0.0004, 1.0, 1000.0, math.inf, object(), (408, 413, 431, 499)
BOUNDS = {"clockRate": RHO, "clockResolutionMs": 1.0, "granularityMs": G, "clockStepMs": 2.0, "clockSlew": 0.0001}
READINGS, CAPS, FIELDS = ("not-counted", "counted"), {"standard": 2, "messages": 5}, ("limit", "remaining", "reset")
PARTS = (1, 2, 3, 4, 5, 6, 8, 10, 16, 20, 25, 32, 50, 64, 100)
SHOULD = ("window.granularity", "error.message-text", "error.content-type", "error.retry-after-length")
SCENARIO_ALONE, OBSERVED = ("load.messages-burst", "load.media-burst", "load.nodes"), ("load.latency", "load.neighbour-latency", "load.keys-cost")
# What each reason for a count is said of (load.* too), how its first reading is refuted, and the kind of its blame (4.3, 6).
OVER, ROOM = ("over-admission",), ("refused-with-room", "no-parts")
COUNTS = {"over-admission": ("limits.", OVER, None), "wrongful-429": ("limits.", ROOM, None), "early-return": ("window.rolling", OVER, "after-full"),
          "late-return": ("window.rolling", ROOM, "was-full"), "too-short": ("window.length", OVER, "length"),
          "too-long": ("window.length", ROOM, "length"), "one-window-for-scopes": ("limits.per-scope", ROOM, "together"),
          "one-window-for-keys": ("limits.per-key", ROOM, "together"), "counted-apart": ("limits.messages-subpaths", OVER, "paths"),
          "counted-per-node": (None, OVER, "nodes"), "whole-seconds": ("window.granularity", OVER + ROOM[:1], None)}

class Number(float):
    """A number of JSON that remembers how it was written."""
    def __new__(cls, text):
        self = float.__new__(cls, text)
        self.text = text
        return self
def no_constant(text): raise ValueError(f"{text} is not JSON")
def parse(text): return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=no_constant)
def need(holds, why):
    if not holds: raise ValueError(why)
def equal(one, other): return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
def same(given, value, why):
    if value is None or math.isinf(value): return need(given is None, f"{why} is not null")
    need(isinstance(given, float) and abs(given - value) <= 1e-6, f"{why} is {value}, not {given}")
def field(value, name): return value.get(name, ABSENT) if isinstance(value, dict) else ABSENT
def integer(text): return int(text) if text is not None and re.fullmatch("[0-9]{1,15}", text) else None
def without_nulls(x): return {name: x[name] for name in x if x[name] is not None or name not in ("scenario", "latencyMs", "bodyState", "sentOnce")}
def valid(x): return x["credential"] == "valid" and x["key"] is not None
def bare(x): return all(x["headers"][name] is None for name in FIELDS)
def answered(x): return x["sentMs"] if x["receivedMs"] is None else x["receivedMs"]
def body_of(x):
    """The body, parsed; ABSENT where it is not JSON; None and False say that it is not judged (5.1)."""
    body, state = x["body"] or "", x.get("bodyState")
    state = state or ("whole" if len(body.encode("utf-16-le")) < 4096 else "beyond-bound")
    try: value = parse(body)
    except ValueError: value = ABSENT
    unsure = state != "whole" and value is ABSENT and not re.match(r'\s*[^\s{\["\-tfn0-9]', body)
    return value, not (x["method"] == "HEAD" or state == "partial" or unsure)
def error_of(x, name):
    body, judged = body_of(x)
    return field(field(body, "error"), name) if judged else ABSENT

class Entry:
    def __init__(self, x, place, w, outcome):
        moments = [x["sentMs"]] + [x["receivedMs"]] * (x["receivedMs"] is not None)
        self.x, self.id, self.outcome, self.low = x, x["requestId"], outcome, min(moments) - w
        self.high, self.order = INF if x["receivedMs"] is None else max(moments) + w, (self.low, x["index"], place)
        self.remaining = integer(x["headers"]["remaining"]) if outcome == x["outcome"] and x["headers"] and (x["status"] or 999) < 500 else None
    def sure(self, reading): return self.outcome == "admitted" or (self.outcome == "limited" and reading == "counted")
    def may(self, reading): return not valid(self.x) or self.outcome != "limited" or reading == "counted"
    def meets(self, low, high): return self.low <= high and self.high >= low

class Trace:
    def __init__(self, raw):
        *lines, last = raw.decode("utf-8").split("\n")
        lines = [parse(line) for line in lines if line]
        try: lines += [parse(last)] if last else []
        except ValueError: pass
        of, found = lambda kind: [line for line in lines if line["kind"] == kind], {}
        for x in of("exchange"): need(equal(found.setdefault(x["requestId"], x), x), "two lines with one requestId differ: this is no trace")
        sent = [{**line, **request} for line in of("sent") for request in line["requests"]]
        self.sha, self.header, self.x, self.loads = hashlib.sha256(raw).hexdigest(), lines[0], found, {line["scenario"]: line for line in of("load")}
        settings, self.looks, self.W = self.header["deployment"], of("clock"), self.header["windowMs"]
        known, ended = list(found.values()), bool(of("end"))
        begun = {line["scenario"] for line in of("begun")} | {x["scenario"] for x in known if x["driver"] == "k6" and x.get("scenario")}
        lost = lambda line: line["requestsSent"] is None or line["requestsSent"] > sum(x.get("scenario") == line["scenario"] for x in known)
        unknown = any(line["state"] == "incomplete" and lost(line) for line in of("load")) or not ended and (
            bool(begun - set(self.loads)) or bool({x["requestId"] for x in known if x["driver"] != "k6"} - {x["requestId"] for x in sent}))
        self.alone, self.capped = settings.get("exclusiveKeys", True) and not unknown, settings.get("perSecond") != "average"
        self.skew, self.requests = settings.get("clockSkewSecondsMax", 5.0), settings["requests"]
        nothing = dict.fromkeys(("receivedMs", "wallReceivedMs", "status", "retryAfter", "date", "contentType", "body"))
        for line in sent:
            fields = {name: line[name] for name in line if name != "requests"}
            found.setdefault(line["requestId"], {**fields, **nothing, "kind": "exchange", "outcome": "indeterminate",
                "failure": "the run died before the answer", "headers": dict.fromkeys(FIELDS)})
        self.S, self.T, self.widths = self.W * (1 - RHO) - Q, self.X(0) + G, {}
        pairs = [(x["clock"], x["sentMs"], x["wallSentMs"]) for x in found.values()]
        self.samples = [(clock, at, wall - at) for clock, at, wall in pairs + [(x["clock"], x["receivedMs"], x["wallReceivedMs"])
            for x in found.values()] if None not in (at, wall)]
        self.apart = max([abs(wall - at) for _, at, wall in pairs if wall is not None] + [abs(c["wallMs"] - c["monotonicMs"]) for c in self.looks] + [0])
        entries = []
        for place, x in enumerate(found.values()):
            entries += [Entry(x, place, self.w(x["clock"]), outcome) for outcome in [x["outcome"]] + ["indeterminate"] * self.twice(x)]
        self.entries = sorted(entries, key=lambda e: e.order)
        self.by_id = {e.id: e for e in reversed(self.entries)}
        self.seen = list(dict.fromkeys((x["key"], x["scope"]) for x in found.values() if valid(x)))
        self.ban = self.find_ban()
    def X(self, g): return (self.W + g) * (1 + RHO) + Q
    def twice(self, x):
        names = {name.lower() for name in (self.requests.get(x["scope"]) or {}).get("headers", {})}
        again = x["method"] in ("GET", "HEAD", "OPTIONS", "TRACE") or names & {"idempotency-key", "x-idempotency-key"}
        return x["driver"] == "k6" and x.get("sentOnce") is not True and bool(again)
    def w(self, clock):
        """How far the clock of an exchange may be off (2)."""
        if clock not in self.widths:
            named, mine = next((c for c in self.header["clocks"] if c["id"] == clock), None), [x for x in self.x.values() if x["clock"] == clock]
            walls = [c["wallMs"] for c in self.looks if named and c["clock"] == named.get("tiedBy")]
            loose = [at for x in mine if x["wallSentMs"] is None for at in (x["sentMs"], answered(x)) if not walls or not min(walls) <= at <= max(walls)]
            if named and named["kind"] == "wall" and loose: width = INF
            elif len({x["clock"] for x in self.x.values()}) == 1: width = 0
            else: width = INF if named is None else named["offsetMsMax"] and named["offsetMsMax"] + self.apart
            self.widths[clock] = width
        return self.widths[clock]
    def unstepped(self, start, end):
        """No clock was stepped in this span (3)."""
        spread, why = lambda values: max(values, default=0) - min(values, default=0), "a clock step lies in the span of the proof"
        for clock in {c for c, _, _ in self.samples}:
            apart = [d for c, at, d in self.samples if c == clock and start - self.w(clock) <= at <= end + self.w(clock)]
            need(spread(apart) <= 0.0001 * (end - start) + 2, why)
        for clock in {c["clock"] for c in self.looks}:
            looks, met = sorted((c["monotonicMs"], c["wallMs"]) for c in self.looks if c["clock"] == clock), []
            for one, two in zip(looks, looks[1:]):
                wide = two[0] - one[0] + self.w(clock)
                if min(one + two) - wide <= end and max(one + two) + wide >= start: met += [one, two]
            need(spread([wall - at for at, wall in met]) <= 0.0001 * spread([at for at, _ in met]) + 2, why)
    def find_ban(self):
        """The status of a ban's answers, and from when on they come; or None (5.7)."""
        mine = [x for x in self.x.values() if x["credential"] == "valid" and x["route"] != "other"]
        plain = [x for x in mine if x["outcome"] == "refused" and bare(x) and x["status"] < 500 and x["status"] not in PROXY
                 and error_of(x, "code") != "rate_limit_exceeded"]
        if len(plain) < 8 or len({x["status"] for x in plain}) > 1: return None
        start, end = min(map(answered, plain)), max(x["sentMs"] for x in plain)
        served = [x for x in mine if x["outcome"] in ("admitted", "limited")]
        before = [x["sentMs"] for x in served if x["sentMs"] <= start]
        keyless = any(not valid(x) and x["sentMs"] < start for x in self.x.values())
        between = any(x["sentMs"] > start and answered(x) < end for x in served)
        return (plain[0]["status"], max(before)) if keyless and before and not between else None
    def of_api(self, x):
        ban = self.ban and x["status"] == self.ban[0] and bare(x) and answered(x) >= self.ban[1]
        return x["status"] is not None and x["status"] < 500 and not (x["status"] in PROXY and bare(x)) and not ban
    def group(self, key, scope, scenario=None):
        return [e for e in self.entries if valid(e.x) and (e.x["key"], e.x["scope"]) == (key, scope) and scenario in (None, e.x.get("scenario"))]
    def keyless(self, scopes): return [e for e in self.entries if not valid(e.x) and e.x["scope"] in scopes]

def least_span(entries, count):
    """The least max(high) - min(low) of so many admitted ones."""
    highs, best = [], INF
    for e in sorted((e for e in entries if e.outcome == "admitted"), key=lambda e: -e.low):
        bisect.insort(highs, e.high)
        if len(highs) >= count: best = min(best, highs[count - 1] - e.low)
    return best
def answer_flaw(t, clause, x):
    """The reason that fits first, what is found, and what is expected (5.1); None where the answer is right."""
    limited, longest = x["credential"] == "valid" and x["outcome"] == "limited", math.ceil(t.W / 1000) + 2
    keyed, (body, judged), missing = x["credential"] == "valid" and t.of_api(x), body_of(x), [n for n in FIELDS if x["headers"][n] is None]
    error, name = field(body, "error"), clause.split(".")[1]
    if clause == "headers.present" and keyed and missing:
        return f"missing-on-{ {'admitted': 'success', 'limited': '429', 'refused': 'error'}[x['outcome']]}", missing, None
    if clause in ("headers.limit", "headers.remaining", "headers.reset") and keyed and name not in missing:
        raw, limit = x["headers"][name], t.header["limits"][x["scope"]]
        if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,9})?" if name == "reset" else "[0-9]{1,15}", raw): return "not-an-integer", raw, None
        if name == "limit" and int(raw) != limit: return "wrong-limit", float(raw), limit
    if clause == "error.status" and x["outcome"] == "refused" and error_of(x, "code") == "rate_limit_exceeded": return "not-429", x["status"], 429.0
    if clause == "auth.bearer" and x["credential"] != "valid" and x["outcome"] == "admitted": return "admitted-without-key", x["status"], None
    if clause == "error.content-type" and limited and x["method"] != "HEAD":
        if not re.match(r"application/([\w.+-]+\+)?json\b", x["contentType"] or "", re.I | re.A): return "not-json", x["contentType"], None
    other = clause == "error.other-shape" and (x["status"] or 0) >= 400 and not limited and t.of_api(x)
    if judged and (other or clause == "error.shape" and limited):
        if body is ABSENT: return "not-json", None, None
        if field(body, "success") is ABSENT: return "no-success", None, None
        if body["success"] is not False: return "success-not-false", body["success"], False
        if not isinstance(error, dict): return "no-error-object", error, None
        if other and not isinstance(field(error, "code"), str): return "no-code", field(error, "code"), None
        if other and not isinstance(field(error, "message"), str): return "no-message", field(error, "message"), None
    if not (judged and limited and (error is None or isinstance(error, (dict, list)))): return None
    value = field(error, {"code": "code", "message": "message", "message-text": "message"}.get(name, "retry_after_seconds"))
    if clause == "error.code" and value != "rate_limit_exceeded": return "absent" if value is ABSENT else "wrong-code", value, "rate_limit_exceeded"
    if clause in ("error.message", "error.retry-after") and value is ABSENT: return "absent", None, None
    if clause == "error.message" and not isinstance(value, str): return "not-a-string", value, None
    if clause == "error.message-text" and isinstance(value, str) and not value.strip(): return "empty", value, None
    written = value.text if isinstance(value, float) and value.is_integer() and not re.fullmatch("-?[0-9]+", value.text) else value
    if clause == "error.retry-after":
        if written is not value or not isinstance(value, float) or not value.is_integer(): return "not-an-integer", written, None
        if value < 1: return "zero", value, 1.0
        bound = float(max(2 * (longest - 2), longest))
        if value > bound: return "too-long", value, bound
    if clause == "error.retry-after-length" and isinstance(value, float) and value > longest: return "longer-than-needed", written, float(longest)

class Check:
    """Confirms a certificate, or raises what is wrong with it (6)."""
    def __init__(self, trace, cert):
        self.t, self.proof, self.clause, self.reason, self.named = trace, cert["proof"], cert["clause"], cert["reason"], set()
        need(equal([cert["kind"], cert["schemaVersion"], cert["bounds"]], ["certificate", 1.0, BOUNDS]), "not a certificate of this version")
        need((cert["traceSha256"], cert["runId"]) == (trace.sha, trace.header["runId"]), "it is of another trace")
        need(cert["level"] == ("should" if self.clause in SHOULD else "must"), "the clause has another level")
        rule, group = self.proof["rule"], cert["group"]
        need((group is None) == (rule in ("answer", "reset")), "a group where there is none, or none where there is one")
        if group: self.take(group)
        {"count": self.count, "places-left": self.places_left, "answer": self.answer, "remaining": self.remaining, "reset": self.reset,
         "promise": self.promise}[rule]()
        named = sorted((trace.by_id[id] for id in self.named), key=lambda e: e.order)
        need(equal([without_nulls(row["exchange"]) for row in cert["exchanges"]], [without_nulls(e.x) for e in named]), "the exchanges are not those named")
        for row, e in zip(cert["exchanges"], named): same(row["lowMs"], e.low, "lowMs"), same(row["highMs"], e.high, "highMs")
    def take(self, given):
        t, key, scope, load = self.t, given["key"], given["scope"], self.clause.startswith("load.") and self.clause[5:]
        scenario, self.N, self.mine = load if self.clause in SCENARIO_ALONE else None, int(t.header["limits"][scope]), (key, scope)
        self.g, self.keyless = t.group(key, scope, scenario), t.keyless([scope])
        need(self.g and (not load or load in t.loads and any(e.x.get("scenario") == load for e in self.g)), "no such group")
        need(not self.clause.startswith(("limits.", "window.")) or any(e.x["driver"] != "k6" for e in self.g), "only k6 sent there")
        self.all = sorted(self.g + self.keyless, key=lambda e: e.order)
        self.settled, self.c = min(e.x["sentMs"] + t.w(e.x["clock"]) for e in self.g) + t.T, CAPS.get(scope) if t.capped else None
        same(given["settledMs"], self.settled, "settledMs")
        need(equal(given, {"key": key, "scope": scope, "scenario": scenario, "limit": float(self.N), "windowMs": t.W, "settledMs": given["settledMs"]}), "another group")
        self.admitted, self.limited = ([e for e in self.g if e.outcome == outcome] for outcome in ("admitted", "limited"))
    def get(self, id):
        need(id in self.t.by_id, f"{id} is not in the trace")
        self.named.add(id)
        return self.t.by_id[id]
    def some(self, ids, of, count):
        found = [self.get(id) for id in ids]
        need(len(found) == count and all(e in of for e in found) and all(a.order < b.order for a, b in zip(found, found[1:])), "a list does not fit")
        return found
    def every(self, ids, entries, what):
        need([self.get(id).id for id in ids] == [e.id for e in entries], f"{what} is not all that there are")
        return len(entries)
    def inequality(self, given, left, relation, right):
        same(given["left"], left, "left"), same(given["right"], right, "right")
        need(given["relation"] == relation and {"<": left < right, ">": left > right, ">=": left >= right}[relation], "the inequality does not hold")
    def crowd(self, part, count, bound):
        found = self.some(part["counted"], self.admitted, count)
        low, high = min(e.low for e in found), max(e.high for e in found)
        self.inequality(part["inequality"], high - low, "<", bound), self.t.unstepped(low, high)
    def may_count(self, r, reading, g): return [e for e in self.all if e is not r and e.may(reading) and e.meets(r.low - self.t.X(g), r.high)]
    def clear(self, r): return not any(e is not r and e.meets(r.low - (2000 * (1 + RHO) + Q), r.high) for e in self.all)
    def while_full(self):
        """The least high(x) - min(low) of an admission while full, where rejections count (4.2)."""
        lows, best, before = [], INF, sorted((e for e in self.g if e.sure("counted")), key=lambda e: e.high)
        for x in self.admitted:
            while len(lows) < len(before) and before[len(lows)].high < x.low: bisect.insort(lows, before[len(lows)].low)
            if len(lows) >= self.N: best = min(best, x.high - lows[-self.N])
        return best
    def h(self, r, reading):
        """h(r) of 4.4, -infinity where there are too few entries; None where r is left out."""
        room = self.N - sum(e is not r and e.may(reading) and e.meets(r.low, r.high) for e in self.all)
        highs = sorted((e.high for e in self.all if e.may(reading) and e.high < r.low), reverse=True)
        return None if room <= 0 else highs[room - 1] if len(highs) >= room else -INF
    def no_parts(self, refusals, reading):
        """No service that counts in equal parts of a second, or exactly, explains these refusals (4.2)."""
        t, sure, lows = self.t, [e for e in self.g if e.sure(reading)], [e.low for e in self.g]
        starts, highs = sorted(e.low for e in sure), sorted(e.high for e in sure)
        late = [(r.low - t.X(0), max(h, self.settled - t.T)) for r in refusals for h in [self.h(r, reading)] if h is not None]
        full = [(x.high - t.S, starts[m - self.N]) for x in self.admitted for m in [bisect.bisect_left(highs, x.low)] if m >= self.N]
        full = [(at, b) for at, b in full if at - b <= 2 * G]
        def fits(p, f):
            slack, begun = RHO * (max(lows) - min(lows)) + Q + p / 128, lambda at: f + math.floor((at - f) / p) * p
            return all(begun(at - slack) <= h + slack for at, h in late) and all(begun(at + slack) >= b - slack for at, b in full)
        return not all(at <= h for at, h in late) and not any(fits(G / n, i * G / n / 64) for n in PARTS for i in range(64))
    def refuted(self, R, reading):
        """The 429s that a refutation rests on, once it is found right (4.2)."""
        need(R["reading"] == reading, "it refutes another reading")
        if R["kind"] == "over-admission": return self.crowd(R, self.N + 1, self.t.S) or []
        if R["kind"] == "admitted-while-full":
            x, sure = self.get(R["admission"]), [e for e in self.g if e.sure(reading)]
            low = min(e.low for e in self.some(R["counted"], [e for e in sure if e.high < x.low], self.N))
            need(reading == "counted" and x in self.admitted, "no admission while full")
            return self.inequality(R["inequality"], x.high - low, "<", self.t.S) or self.t.unstepped(low, x.high) or []
        need(self.t.alone and R["kind"] in ROOM, "somebody else may have used the key")
        if R["kind"] == "no-parts":
            late, C = [r for r in self.limited if r.low >= self.settled - G], self.proof["cap"]
            if C and C["kind"] == "clear": late = [r for r in late if self.clear(r)]
            self.every(R["refusals"], late, "refusals")
            need(self.clause != "window.granularity" and self.no_parts(late, reading), "a service that counts in parts of a second explains it")
            self.t.unstepped(min(e.low for e in self.admitted + self.limited), max(e.high for e in self.admitted + self.limited))
            return late
        r, g = self.get(R["refusal"]), 0.0 if self.clause == "window.granularity" else G
        need(equal(R["granularityMs"], g) and r in self.limited and r.low >= self.settled - G + g, "this 429 proves nothing")
        self.inequality(R["inequality"], self.every(R["mayCount"], self.may_count(r, reading, g), "mayCount"), "<", self.N)
        return self.t.unstepped(r.low - self.t.T, r.high) or [r]
    def no_cap(self, refusals, kinds=("none", "clear")):
        C, c = self.proof["cap"], self.c if refusals else None
        if c is None: return need(C is None, "a cap where none is possible")
        need(C and C["perSecond"] == c and C["kind"] in kinds, "a cap per second may explain it")
        if C["kind"] == "none": return self.crowd(C, 2 * c + 1, 1000 * (1 - RHO) - Q)
        need(all(map(self.clear, refusals)), "it is not clear")
    def deviates(self):
        """Both readings are refuted, whatever the certificate says; a clock step is left out of account."""
        uncapped = self.c is None or least_span(self.admitted, 2 * self.c + 1) < 1000 * (1 - RHO) - Q
        late = [r for r in self.limited if self.t.alone and r.low >= self.settled - G and (uncapped or self.clear(r))]
        room = lambda reading: any(r.low >= self.settled and len(self.may_count(r, reading, G)) < self.N for r in late)
        over = [least_span(self.g, self.N + 1) < self.t.S, min(least_span(self.g, self.N + 1), self.while_full()) < self.t.S]
        return all(over[i] or room(reading) or self.no_parts(late, reading) for i, reading in enumerate(READINGS))
    def count(self):
        (clause, kinds, blame), parts, B = COUNTS[self.reason], self.proof["refutations"], self.proof["blame"]
        mine = f"limits.{self.mine[1]}" if clause == "limits." else clause
        load = self.clause.startswith("load.") and self.clause not in OBSERVED and self.reason != "whole-seconds"
        need((load if clause else self.clause in SCENARIO_ALONE) or self.clause == mine, "the reason of another clause")
        need(len(parts) == 2 and parts[0]["kind"] in kinds, "another deviation, or a reading is left")
        self.no_cap([r for R, reading in zip(parts, READINGS) for r in self.refuted(R, reading)])
        need(self.reason != "whole-seconds" or not self.deviates(), "a must clause deviates")
        need((B and B["kind"]) == blame, "another blame")
        if blame: getattr(self, blame.replace("-", "_"))(B, self.limited[0] if self.limited else None)
    def after_full(self, B, first):
        span = least_span([e for e in self.g if e.low <= first.high], self.N + 1)
        same(B["leastSpanMs"], span, "leastSpanMs"), need(self.get(B["firstRefusal"]) is first and span >= self.t.S, "it had not been full")
    def was_full(self, B, first):
        full = sum(e.low <= first.high and e.high > first.high - self.t.X(0) for e in self.admitted)
        same(B["admitted"], full, "admitted"), need(self.get(B["firstRefusal"]) is first and full >= self.N, "it had not been full")
    def length(self, B, first):
        reading, longest = B["reading"], min(least_span(self.g, self.N + 1), self.while_full() if B["reading"] == "counted" else INF)
        hs = [(r.low, self.h(r, reading)) for r in self.limited]
        longest, shortest = (longest + Q) / (1 - RHO), max([(low - h - Q) / (1 + RHO) for low, h in hs if h is not None] + [0])
        same(B["shortestMs"], shortest, "shortestMs"), same(B["longestMs"], longest, "longestMs")
        need(reading in READINGS and shortest <= longest, "no length explains it")
        need(longest < self.t.W if self.reason == "too-short" else shortest > self.t.W, "the window may be as long as it should")
    def nodes(self, B, first):
        nodes = [e.x["node"] for e in self.admitted]
        need(equal(B["admitted"], [[n, float(nodes.count(n))] for n in sorted(set(nodes))]), "the nodes admitted others")
        need(len(set(nodes)) > 1 and all(nodes.count(n) <= self.N for n in nodes), "not counted per node")
    def paths(self, B, first):
        main, sub = ([e for e in self.g if e.x["route"] == route] for route in ("main", "subpath"))
        spans, r = [least_span(part, self.N + 1) for part in (main, sub)], self.get(B["mainRefusal"])
        same(B["mainLeastSpanMs"], spans[0], "mainLeastSpanMs"), same(B["subpathLeastSpanMs"], spans[1], "subpathLeastSpanMs")
        need(sub and min(spans) >= self.t.S and r in main and r in self.limited, "not counted apart")
    def admission_apart(self, entries, reading):
        return any(sum(e.sure(reading) and e.high < x.low and x.high - e.low < self.t.S for e in entries) >= self.N for x in self.admitted)
    def together(self, B, first):
        part, t, reading = 0 if self.reason == "one-window-for-scopes" else 1, self.t, B["reading"]
        groups = [self.mine] + [g for g in t.seen if g != self.mine and g[part] == self.mine[part]]
        need(len(groups) > 1 and equal(B["groups"], [{"key": key, "scope": scope} for key, scope in groups]) and reading in READINGS, "other groups")
        entries = [e for g in groups for e in t.group(*g)]
        self.all = entries + t.keyless({scope for _, scope in groups})
        need(all(len(self.may_count(r, reading, G)) >= self.N for r in self.limited if r.low >= self.settled), "a 429 is left")
        need(not self.admission_apart(entries, reading), "an admission is left")
    def places_left(self):
        t, N, P, a, r = self.t, self.N, self.proof, self.get(self.proof["answer"]), self.get(self.proof["refusal"])
        need((self.clause, self.reason) == (f"limits.{self.mine[1]}", "refused-while-remaining") and t.alone and not self.deviates(), "it cannot be said")
        v, ours, key = a.remaining, [e for e in self.all if e.may("not-counted")], self.mine[0]
        need(a in self.admitted and v is not None and a.high < min(e.low for e in self.limited), "not an answer before the 429s")
        need(r in self.limited and r.high == min(e.high for e in self.limited) and r.high - min(e.low for e in self.g) < t.S, "not the first 429")
        need(N - sum(e.low <= a.high for e in ours) <= v <= N - 1 - sum(e.high < a.low for e in self.admitted), "Remaining counts others")
        near = [g for g in t.seen if g != self.mine and (g[0] == key or g[1] == self.mine[1])]
        beside = {g for g in near if not self.admission_apart(self.g + t.group(*g), "not-counted")}
        of = lambda e: valid(e.x) and ((e.x["key"], e.x["scope"]) in beside or e.x["key"] == key and e.x["route"] != "main")
        since = [e.id for e in t.entries if e is not a and e is not r and e.meets(a.low, r.high) and (e in ours or of(e))]
        need(P["since"] == sorted(since), "since is not all that there are")
        self.named.update(since), self.no_cap(self.limited), self.inequality(P["inequality"], len(since), "<", v), t.unstepped(a.low, r.high)
    def answer(self):
        e = self.get(self.proof["exchange"])
        reason, found, expected = answer_flaw(self.t, self.clause, e.x) or (None, None, None)
        need(reason == self.reason, "the answer is right, or wrong for another reason")
        need(equal([self.proof["found"], self.proof["expected"]], [None if found is ABSENT else found, expected]), "something else was found")
    def misfit(self, M, reading):
        """The kind of a misfit, once it is found right (5.3)."""
        e, t, kind, N = self.get(M["exchange"]), self.t, M["kind"], self.N
        need(e in self.g and e.remaining is not None and (e.outcome == "limited") == (self.reason == "not-zero"), "not such an answer")
        low = e.low - t.T
        counted = {"surely-counted": [s for s in self.g if (s is e and e.outcome == "admitted") or (s is not e and s.sure(reading)
                       and s.high < e.low and s.low > e.high - t.S)],
                   "perhaps-counted": [s for s in self.all if s.may(reading) and s.meets(low, e.high)],
                   "may-leave": [s for s in self.all if s.may(reading) and s.meets(low, e.high - t.S)]}[kind]
        n = self.every(M["counted"], counted, "counted")
        need(kind == "surely-counted" or t.alone and e.low >= self.settled, "somebody else may have used the key")
        right = {"surely-counted": max(0, N - n), "perhaps-counted": N - n, "may-leave": n}[kind]
        self.inequality(M["inequality"], e.remaining, "<" if kind == "perhaps-counted" else ">", right), t.unstepped(min(e.low for e in self.g), e.high)
        return kind, e
    def remaining(self):
        need((self.clause, self.reason) in (("headers.remaining", "too-high"), ("headers.remaining", "too-low"), ("headers.remaining-on-429", "not-zero")), "not such a reason")
        misfits, refusals = [], []
        for P, reading in zip(self.proof["readings"], READINGS):
            need(P["reading"] == reading and (P["refuted"] is None) != (P["misfit"] is None), "a reading is left")
            if P["refuted"]: refusals += self.refuted(P["refuted"], reading)
            else: misfits.append(self.misfit(P["misfit"], reading))
        kinds = {kind for kind, _ in misfits}
        allowed = {"too-high": ("surely-counted", "perhaps-counted"), "too-low": ("surely-counted", "perhaps-counted"), "not-zero": ("surely-counted", "may-leave")}
        need(len(self.proof["readings"]) == 2 and kinds and kinds <= set(allowed[self.reason]), "a reading is left")
        need({"too-high": "surely-counted", "too-low": "perhaps-counted"}.get(self.reason) in kinds | {None}, "another reason")
        on429 = [e for _, e in misfits if self.reason == "not-zero" or "perhaps-counted" in kinds]
        self.no_cap(refusals + on429, ("none",) if "perhaps-counted" in kinds else ("none", "clear"))
    def reset(self):
        P, t, x = self.proof, self.t, self.get(self.proof["exchange"]).x
        need(self.clause == "headers.reset" and x["credential"] == "valid" and t.of_api(x), "not such an answer")
        v, k = float(x["headers"]["reset"]), t.skew + t.w(x["clock"]) / 1000
        need(re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,9})?", x["headers"]["reset"]), "Reset is no number")
        sent = (x["sentMs"] if x["wallSentMs"] is None else x["wallSentMs"]) / 1000
        received = (answered(x) if x["wallReceivedMs"] is None else x["wallReceivedMs"]) / 1000
        most, least = v + 1 - sent + Q / 1000, v - 2 - t.W / 1000 * (1 + RHO) - received - Q / 1000
        need(self.reason == ("milliseconds" if v > 100 * sent else "delta" if v < sent / 100 else "beyond-window" if least > k else "past"), "another reason")
        need(P["kind"] == ("at-least" if least > k else "at-most"), "the other bound is broken")
        same(P["skewSeconds"], k, "skewSeconds"), self.inequality(P["inequality"], *((least, ">", k) if least > k else (most, "<", -k)))
        t.unstepped(x["sentMs"], answered(x))
    def promise(self):
        t, refusals, pairs = self.t, [], 0
        need((self.clause, self.reason) == ("error.retry-after-suffices", "second-429") and t.alone, "it cannot be said")
        for P, reading in zip(self.proof["readings"], READINGS):
            need(P["reading"] == reading and (P["refuted"] is None) != (P["pair"] is None), "a reading is left")
            if P["refuted"]: refusals += self.refuted(P["refuted"], reading)
            else: pairs += self.pair(P["pair"], reading)
        need(len(self.proof["readings"]) == 2 and pairs, "both readings are refuted, or one is left"), self.no_cap(refusals)
    def pair(self, P, reading):
        f, r = self.get(P["first"]), self.get(P["again"])
        k = error_of(f.x, "retry_after_seconds")
        need(f in self.limited and r in self.limited and f is not r and isinstance(k, float) and k > 0 and k.is_integer(), "no such announcement")
        same(P["seconds"], k, "seconds"), self.inequality(P["inequality"], r.low, ">=", f.high + k * 1000 * (1 + RHO) + Q)
        between = [e for e in self.all if e.may(reading) and e not in (f, r) and e.low <= r.high and e.high >= f.low]
        need(all(reading == "not-counted" and e.high < f.low for e in between) if reading == "not-counted" else
             not any(e.high > f.low for e in between), "something may have taken the place in between")
        self.t.unstepped(f.low, r.high)
        return True

def main(folders):
    seen = rejected = 0
    for folder in map(pathlib.Path, folders):
        trace = None
        for path in sorted(folder.glob("evidence/*.json")):
            seen, why = seen + 1, "confirmed"
            try:
                trace = trace or Trace((folder / "trace.ndjson").read_bytes())
                Check(trace, parse(path.read_text("utf-8")))
            except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, OSError) as error:
                why, rejected = f"rejected: {error if type(error) is ValueError else repr(error)}", rejected + 1
            print(f"{path}: {why}")
    if not seen: print("There is no certificate to check: name folders that hold trace.ndjson and evidence/*.json.", file=sys.stderr)
    return 2 if not seen else 1 if rejected else 0

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
