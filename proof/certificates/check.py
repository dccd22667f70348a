#!/usr/bin/env python3
"""Checks certificates of violations against their traces: python3 check.py FOLDER [FOLDER ...]; each holds trace.ndjson and evidence/*.json.
Written from docs/verdicts.md alone, whose sections are named here. Exit status: 0 all confirmed, 1 some rejected, 2 nothing to check."""
import bisect, hashlib, json, math, pathlib, re, sys

RHO, Q, G, INF, ABSENT, PROXY, FIELDS = 0.0004, 1, 1000, math.inf, object(), (408, 413, 431, 499), ("limit", "remaining", "reset")
BOUNDS = {"clockRate": RHO, "clockResolutionMs": Q, "granularityMs": G, "clockStepMs": 2, "clockSlew": 0.0001}
READINGS, CAPS, PARTS = ("not-counted", "counted"), {"standard": 2, "messages": 5}, 100
SHOULD = ("window.granularity", "error.message-text", "error.content-type", "error.retry-after-length")
SCENARIO_ALONE, OBSERVED = ("load.messages-burst", "load.media-burst", "load.nodes"), ("load.latency", "load.neighbour-latency", "load.keys-cost")
# What each reason for a count is said of (load.* too), how its first reading is refuted, and the kind of its blame (4.3, 6).
OVER, ROOM = ("over-admission",), ("refused-with-room", "no-parts")
COUNTS = {"over-admission": ("limits.", OVER, None), "wrongful-429": ("limits.", ROOM, None), "early-return": ("window.rolling", OVER, "after-full"),
          "late-return": ("window.rolling", ROOM, "was-full"), "too-short": ("window.length", OVER, "length"),
          "too-long": ("window.length", ROOM, "length"),
          "one-window-for-scopes": ("limits.per-scope", ROOM, "together"), "one-window-for-keys": ("limits.per-key", ROOM, "together"),
          "counted-apart": ("limits.messages-subpaths", OVER, "paths"), "counted-per-node": (None, OVER, "nodes"),
          "whole-seconds": ("window.granularity", OVER + ROOM[:1], None)}
# The clause of each reason of section 5.3, and the kinds of misfit: the first has to be there, or is as good as the second.
MISFITS = {"too-high": ("headers.remaining", "surely-counted", "perhaps-counted"),
           "too-low": ("headers.remaining", "perhaps-counted", "surely-counted"),
           "not-zero": ("headers.remaining-on-429", "surely-counted", "may-leave")}

class Number(float):
    """A number of JSON that remembers how it was written."""
    def __init__(self, text): self.text = text
def need(holds, why):
    if not holds: raise ValueError(why)
def parse(text): return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=lambda name: need(False, f"{name} is not JSON"))
def field(value, name): return value.get(name, ABSENT) if isinstance(value, dict) else ABSENT
def spread(values): return max(values, default=0) - min(values, default=0)
def valid(x): return x["credential"] == "valid" and x["key"] is not None
def bare(x): return all(x["headers"][name] is None for name in FIELDS)
def answered(x): return x["sentMs"] if x["receivedMs"] is None else x["receivedMs"]
def written_out(x): return {n: x[n] for n in x if x[n] is not None or n not in ("scenario", "latencyMs", "bodyState", "sentOnce")}
def body_of(x):
    """The body (ABSENT where it is not JSON), and whether it is judged (5.1)."""
    body = x["body"] or ""
    state = x.get("bodyState") or ("whole" if len(body.encode("utf-16-le")) < 4096 else "beyond-bound")
    try: value = parse(body)
    except ValueError: value = ABSENT
    clear = state == "whole" or state != "partial" and (value is not ABSENT or re.match(r'\s*[^\s{\["\-tfn0-9]', body))
    return value, x["method"] != "HEAD" and bool(clear)
def error_of(x, name): return field(field(body_of(x)[0], "error"), name) if body_of(x)[1] else ABSENT
def inequality(left, relation, right):
    need({"<": left < right, ">": left > right, ">=": left >= right}[relation], f"{left} {relation} {right} does not hold")
    return {"left": left, "relation": relation, "right": right}

class Entry:
    def __init__(self, x, place, w, outcome):
        self.x, self.id, self.outcome, self.low = x, x["requestId"], outcome, min(x["sentMs"], answered(x)) - w
        self.high, self.order = INF if x["receivedMs"] is None else max(x["sentMs"], answered(x)) + w, (self.low, x["index"], place)
        self.sure = {"not-counted": outcome == "admitted", "counted": outcome in ("admitted", "limited")}
        self.may = {"not-counted": outcome != "limited" or not valid(x), "counted": True}
    def meets(self, low, high): return self.low <= high and self.high >= low

class Trace:
    def __init__(self, raw):
        *lines, last = raw.decode("utf-8").split("\n")
        lines = [parse(line) for line in lines if line]
        try: lines += [parse(last)] if last else []
        except ValueError: pass
        of, found = lambda kind: [line for line in lines if line["kind"] == kind], {}
        for x in of("exchange"): need(found.setdefault(x["requestId"], x) == x, "two lines with one requestId differ: this is no trace")
        sent, self.loads, self.sha = [{**line, **one} for line in of("sent") for one in line["requests"]], of("load"), hashlib.sha256(raw).hexdigest()
        self.header, self.looks, known, ended = lines[0], of("clock"), list(found.values()), bool(of("end"))
        settings, self.W, self.loaded = self.header["deployment"], self.header["windowMs"], {line["scenario"] for line in self.loads}
        begun = {line["scenario"] for line in of("begun")} | {x["scenario"] for x in known if x["driver"] == "k6" and x.get("scenario")}
        lost = any(line["state"] == "incomplete" and (line["requestsSent"] is None or line["requestsSent"] > sum(
            x.get("scenario") == line["scenario"] for x in known)) for line in self.loads)
        died = not ended and (begun - self.loaded or {x["requestId"] for x in known if x["driver"] != "k6"} - {one["requestId"] for one in sent})
        self.alone, self.capped = settings.get("exclusiveKeys", True) and not lost and not died, settings.get("perSecond") != "average"
        self.skew, self.requests, self.S, self.T = settings.get("clockSkewSecondsMax", 5), settings["requests"], self.W * (1 - RHO) - Q, self.X(0) + G
        nothing = dict.fromkeys(("receivedMs", "wallReceivedMs", "status", "retryAfter", "date", "contentType", "body"))
        death = {**nothing, "kind": "exchange", "outcome": "indeterminate", "failure": "the run died before the answer",
                 "headers": dict.fromkeys(FIELDS)}
        for one in sent: found.setdefault(one["requestId"], {**{name: one[name] for name in one if name != "requests"}, **death})
        self.x = list(found.values())
        self.samples = [(x["clock"], x[at], x[wall] - x[at]) for at, wall in (("sentMs", "wallSentMs"), ("receivedMs", "wallReceivedMs"))
                        for x in self.x if None not in (x[at], x[wall])]
        self.w = {clock: self.width(clock) for clock in {row["clock"] for row in self.x + self.looks}}
        self.entries = sorted((Entry(x, place, self.w[x["clock"]], outcome) for place, x in enumerate(self.x)
                               for outcome in [x["outcome"]] + ["indeterminate"] * self.twice(x)), key=lambda e: e.order)
        self.by_id, self.ban = {e.id: e for e in reversed(self.entries)}, self.find_ban()
        self.groups = list(dict.fromkeys((x["key"], x["scope"]) for x in self.x if valid(x)))
    def X(self, g): return (self.W + g) * (1 + RHO) + Q
    def twice(self, x):
        names = {name.lower() for name in self.requests.get(x["scope"], {}).get("headers", {})} & {"idempotency-key", "x-idempotency-key"}
        return x["driver"] == "k6" and x.get("sentOnce") is not True and bool(names or x["method"] in ("GET", "HEAD", "OPTIONS", "TRACE"))
    def width(self, clock):
        """w of a clock (2)."""
        named = next((c for c in self.header["clocks"] if c["id"] == clock), None)
        walls = [look["wallMs"] for look in self.looks if named and look["clock"] == named.get("tiedBy")]
        untied = any(not walls or not min(walls) <= at <= max(walls) for x in self.x if x["clock"] == clock and x["wallSentMs"] is None
                     for at in (x["sentMs"], answered(x)))
        if named and named["kind"] == "wall" and untied: return INF
        if len({x["clock"] for x in self.x}) == 1: return 0
        apart = [x["wallSentMs"] - x["sentMs"] for x in self.x if x["wallSentMs"] is not None] + [c["wallMs"] - c["monotonicMs"] for c in self.looks]
        return INF if named is None else named["offsetMsMax"] and named["offsetMsMax"] + max(map(abs, apart), default=0)
    def unstepped(self, start, end):
        """No clock was stepped in this span (3)."""
        for clock, w in self.w.items():
            apart = [d for c, at, d in self.samples if c == clock and start - w <= at <= end + w]
            looks, met = sorted((c["monotonicMs"], c["wallMs"]) for c in self.looks if c["clock"] == clock), []
            for one, two in zip(looks, looks[1:]):
                wide = two[0] - one[0] + w
                met += [one, two] if min(one + two) - wide <= end and max(one + two) + wide >= start else []
            stretched = spread([wall - at for at, wall in met]) > 0.0001 * spread([at for at, _ in met]) + 2
            need(spread(apart) <= 0.0001 * (end - start) + 2 and not stretched, "a clock step lies in the span of the proof")
    def find_ban(self):
        """The status of a ban's answers, and from when on they come; or None (5.7)."""
        mine = [x for x in self.x if x["credential"] == "valid" and x["route"] != "other"]
        plain = [x for x in mine if x["outcome"] == "refused" and bare(x) and x["status"] < 500 and x["status"] not in PROXY
                 and error_of(x, "code") != "rate_limit_exceeded"]
        if len(plain) < 8 or len({x["status"] for x in plain}) > 1: return None
        start, end, served = min(map(answered, plain)), max(x["sentMs"] for x in plain), [x for x in mine if x["outcome"] in ("admitted", "limited")]
        before, between = [x["sentMs"] for x in served if x["sentMs"] <= start], any(x["sentMs"] > start and answered(x) < end for x in served)
        keyless = any(not valid(x) and x["sentMs"] < start for x in self.x)
        return (plain[0]["status"], max(before)) if keyless and before and not between else None
    def of_api(self, x):
        banned = self.ban and x["status"] == self.ban[0] and bare(x) and answered(x) >= self.ban[1]
        return x["status"] is not None and x["status"] < 500 and not (x["status"] in PROXY and bare(x)) and not banned
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
    limited, longest, name = x["credential"] == "valid" and x["outcome"] == "limited", math.ceil(t.W / 1000) + 2, clause.split(".")[1]
    keyed, (body, judged), raw = x["credential"] == "valid" and t.of_api(x), body_of(x), x["headers"].get(name)
    missing, error, other = [n for n in FIELDS if x["headers"][n] is None], field(body, "error"), clause == "error.other-shape"
    number = raw is not None and re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,9})?" if name == "reset" else "[0-9]{1,15}", raw)
    value = field(error, {"code": "code", "message": "message", "message-text": "message"}.get(name, "retry_after_seconds"))
    whole, bound = isinstance(value, float) and value.is_integer(), max(2 * (longest - 2), longest)
    odd = whole and not re.fullmatch("-?[0-9]+", value.text)
    written = value.text if odd else value
    shaped = judged and (other and (x["status"] or 0) >= 400 and not limited and t.of_api(x) or clause == "error.shape" and limited)
    fielded = judged and limited and (error is None or isinstance(error, (dict, list)))
    json_type = re.match(r"application/([\w.+-]+\+)?json\b", x["contentType"] or "", re.I | re.A)
    success, code, message = field(body, "success"), field(error, "code"), field(error, "message")
    said, limit = {"admitted": "success", "limited": "429"}.get(x["outcome"], "error"), t.header["limits"][x["scope"]]
    flaws = [("headers.present", keyed and missing, "missing-on-" + said, missing, None),
             (clause, clause.startswith("headers.") and keyed and raw is not None and not number, "not-an-integer", raw, None),
             ("headers.limit", keyed and number and int(raw) != limit, "wrong-limit", number and float(raw), limit),
             ("error.status", x["outcome"] == "refused" and error_of(x, "code") == "rate_limit_exceeded", "not-429", x["status"], 429),
             ("auth.bearer", x["credential"] != "valid" and x["outcome"] == "admitted", "admitted-without-key", x["status"], None),
             ("error.content-type", limited and x["method"] != "HEAD" and not json_type, "not-json", x["contentType"], None),
             (clause, shaped and body is ABSENT, "not-json", None, None), (clause, shaped and success is ABSENT, "no-success", None, None),
             (clause, shaped and success is not False, "success-not-false", success, False),
             (clause, shaped and not isinstance(error, dict), "no-error-object", error, None),
             (clause, shaped and other and not isinstance(code, str), "no-code", code, None),
             (clause, shaped and other and not isinstance(message, str), "no-message", message, None),
             ("error.code", fielded and code != "rate_limit_exceeded", "absent" if code is ABSENT else "wrong-code", code, "rate_limit_exceeded"),
             ("error.message", fielded and not isinstance(message, str), "absent" if message is ABSENT else "not-a-string", message, None),
             ("error.message-text", fielded and isinstance(message, str) and not message.strip(), "empty", message, None),
             ("error.retry-after", fielded and value is ABSENT, "absent", None, None),
             ("error.retry-after", fielded and (odd or not whole), "not-an-integer", written, None),
             ("error.retry-after", fielded and whole and value < 1, "zero", value, 1),
             ("error.retry-after", fielded and whole and value > bound, "too-long", value, bound),
             ("error.retry-after-length", fielded and isinstance(value, float) and value > longest, "longer-than-needed", written, longest)]
    return next((flaw[2:] for flaw in flaws if flaw[0] == clause and flaw[1]), (None, None, None))

class Check:
    """Confirms a certificate, or raises what is wrong with it (6): each rule gives the proof as it has to be, for the exchanges that were chosen."""
    def __init__(self, t, cert):
        self.t, self.P, self.clause, self.reason, self.named, self.refusals = t, cert["proof"], cert["clause"], cert["reason"], set(), []
        rule = self.P["rule"]
        group = self.take(cert["group"]) if cert["group"] else None
        need((group is None) == (rule in ("answer", "reset")), "a group where there is none, or none where there is one")
        self.agree({**self.P, "rule": None}, {**RULES[rule](self), "rule": None}, "proof")
        named = sorted((t.by_id[id] for id in self.named), key=lambda e: e.order)
        shown = [{**row, "exchange": written_out(row["exchange"])} for row in cert["exchanges"]]
        exchanges = [{"lowMs": e.low, "highMs": e.high, "exchange": written_out(e.x)} for e in named]
        self.agree({**cert, "exchanges": shown, "proof": None}, {
            "kind": "certificate", "schemaVersion": 1, "runId": t.header["runId"], "traceSha256": t.sha, "clause": self.clause,
            "level": "should" if self.clause in SHOULD else "must", "reason": self.reason, "bounds": BOUNDS, "group": group,
            "exchanges": exchanges, "proof": None}, "certificate")
    def agree(self, given, value, what):
        """What is given is this value; an entry is given by its id, and is named by that."""
        if isinstance(value, Entry): self.named.add(value.id)
        if isinstance(value, dict):
            need(isinstance(given, dict) and given.keys() == value.keys(), f"{what} has other fields")
            for name in value: self.agree(given[name], value[name], f"{what}.{name}")
        elif isinstance(value, (list, tuple)):
            need(isinstance(given, list) and len(given) == len(value), f"{what} has not {len(value)} members")
            for at, one in enumerate(value): self.agree(given[at], one, f"{what}[{at}]")
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and not math.isinf(value):
            need(isinstance(given, float) and abs(given - value) <= 1e-6, f"{what} is {value}, not {given}")
        else:
            plain = value.id if isinstance(value, Entry) else None if value is ABSENT or isinstance(value, float) else value
            need(type(given) is type(plain) and given == plain, f"{what} is {plain}, not {given}")
    def take(self, given):
        t, key, scope, load = self.t, given["key"], given["scope"], self.clause[5:] if self.clause.startswith("load.") else None
        scenario, self.N, self.mine = load if self.clause in SCENARIO_ALONE else None, int(t.header["limits"][scope]), (key, scope)
        self.g = t.group(key, scope, scenario)
        need(self.g and (not load or load in t.loaded and any(e.x.get("scenario") == load for e in self.g)), "no such group")
        need(not self.clause.startswith(("limits.", "window.")) or any(e.x["driver"] != "k6" for e in self.g), "only k6 sent there")
        self.all = sorted(self.g + t.keyless([scope]), key=lambda e: e.order)
        self.settled, self.c = min(e.x["sentMs"] + t.w[e.x["clock"]] for e in self.g) + t.T, CAPS.get(scope) if t.capped else None
        self.admitted, self.limited = ([e for e in self.g if e.outcome == outcome] for outcome in ("admitted", "limited"))
        return {"key": key, "scope": scope, "scenario": scenario, "limit": self.N, "windowMs": t.W, "settledMs": self.settled}
    def one(self, id, of, why):
        need(self.t.by_id.get(id) in of, why)
        return self.t.by_id[id]
    def within(self, low, high, bound): return self.t.unstepped(low, high) or inequality(high - low, "<", bound)
    def some(self, ids, of, count):
        found = [self.one(id, of, f"{id} does not fit") for id in ids]
        need(len(found) == count and all(a.order < b.order for a, b in zip(found, found[1:])), "a list is too long or short, or out of order")
        return found
    def crowd(self, ids, count, bound):
        found = self.some(ids, self.admitted, count)
        return {"counted": found, "inequality": self.within(min(e.low for e in found), max(e.high for e in found), bound)}
    def may_count(self, r, reading, g): return [e for e in self.all if e is not r and e.may[reading] and e.meets(r.low - self.t.X(g), r.high)]
    def clear(self, r): return not any(e is not r and e.meets(r.low - (2000 * (1 + RHO) + Q), r.high) for e in self.all)
    def while_full(self):
        """The least high(x) - min(low) of an admission while full, where rejections count (4.2)."""
        lows, best, before = [], INF, sorted((e for e in self.g if e.sure["counted"]), key=lambda e: e.high)
        for x in self.admitted:
            while len(lows) < len(before) and before[len(lows)].high < x.low: bisect.insort(lows, before[len(lows)].low)
            if len(lows) >= self.N: best = min(best, x.high - lows[-self.N])
        return best
    def lengths(self, reading):
        """The (r, h(r)) of all 429s that have one (4.4), -infinity where there are too few entries."""
        for r in self.limited:
            room = self.N - sum(e is not r and e.may[reading] and e.meets(r.low, r.high) for e in self.all)
            highs = sorted((e.high for e in self.all if e.may[reading] and e.high < r.low), reverse=True)
            if room > 0: yield r, highs[room - 1] if len(highs) >= room else -INF
    def no_parts(self, refusals, reading):
        """No service that counts in equal parts of a second, or exactly, explains these refusals (4.2)."""
        t, sure, start = self.t, [e for e in self.g if e.sure[reading]], self.settled - self.t.T
        earliest, latest = (lambda at: at - start - RHO * abs(at - start) - Q), (lambda at: at - start + RHO * abs(at - start))
        starts, highs = sorted(e.low for e in sure), sorted(e.high for e in sure)
        held = [(max(h, start), r.low) for r, h in self.lengths(reading) if r in refusals]
        freed = [(starts[m - self.N], x.high) for x in self.admitted for m in [bisect.bisect_left(highs, x.low)] if m >= self.N]
        without = [(latest(taken), earliest(at) - t.W) for taken, at in held]
        def covered(p):
            stretches = without + [(latest(at) - t.W, earliest(taken) + p) for taken, at in freed]
            if any(b - a >= p for a, b in stretches): return True
            laid = sorted((a % p, a % p + b - a) for a, b in stretches if b > a)
            reached = max([0] + [b - p for _, b in laid])
            for a, b in laid:
                if a > reached: return False
                reached = max(reached, b)
            return reached >= p
        inexact, long = any(at - t.X(0) > taken for taken, at in held), any(b - a >= G / PARTS for a, b in without)
        return inexact and long and all(covered(G / n) for n in range(1, PARTS + 1))
    def refutation(self, R, reading):
        """A refutation as it has to be (4.2); the 429s that it rests on are kept."""
        kind, t, wide = R["kind"], self.t, 0 if self.clause == "window.granularity" else G
        if kind == "over-admission": return {"reading": reading, "kind": kind, **self.crowd(R["counted"], self.N + 1, t.S)}
        if kind == "admitted-while-full" and reading == "counted":
            x = self.one(R["admission"], self.admitted, "no such admission")
            full = self.some(R["counted"], [e for e in self.g if e.sure[reading] and e.high < x.low], self.N)
            left = self.within(min(e.low for e in full), x.high, t.S)
            return {"reading": reading, "kind": kind, "counted": full, "admission": x, "inequality": left}
        need(t.alone and kind in ROOM, "somebody else may have used the key")
        if kind == "no-parts":
            cleared = self.P["cap"] and self.P["cap"]["kind"] == "clear"
            late, both = [r for r in self.limited if r.low >= self.settled - G and (not cleared or self.clear(r))], self.admitted + self.limited
            need(wide and self.no_parts(late, reading), "a service that counts in parts of a second explains it")
            t.unstepped(min(e.low for e in both), max(e.high for e in both)), self.refusals.extend(late)
            return {"reading": reading, "kind": kind, "refusals": late}
        r = self.one(R["refusal"], [r for r in self.limited if r.low >= self.settled - G + wide], "this 429 proves nothing")
        found = self.may_count(r, reading, wide)
        t.unstepped(r.low - t.T, r.high), self.refusals.append(r)
        left = inequality(len(found), "<", self.N)
        return {"reading": reading, "kind": kind, "refusal": r, "granularityMs": wide, "mayCount": found, "inequality": left}
    def readings(self, name, rule):
        """The readings of the rules of sections 5.3 and 5.5: each is refuted, or has what the rule wants."""
        need(len(self.P["readings"]) == 2 and not all(given["refuted"] for given in self.P["readings"]), "both readings are refuted, or one is left")
        return [{"reading": reading, "refuted": self.refutation(given["refuted"], reading) if given["refuted"] else None,
                 name: None if given["refuted"] else rule(given[name], reading)} for given, reading in zip(self.P["readings"], READINGS)]
    def cap(self, kinds=("none", "clear")):
        C, c = self.P["cap"], self.c if self.refusals else None
        if c is None: return None
        need(C and C["kind"] in kinds and (C["kind"] == "none" or all(map(self.clear, self.refusals))), "a cap per second may explain it")
        return {"perSecond": c, "kind": C["kind"], **(self.crowd(C["counted"], 2 * c + 1, 1000 * (1 - RHO) - Q) if C["kind"] == "none" else {})}
    def deviates(self):
        """Both readings are refuted, whatever the certificate says; clock steps are left out of account."""
        uncapped, least = self.c is None or least_span(self.g, 2 * self.c + 1) < 1000 * (1 - RHO) - Q, least_span(self.g, self.N + 1)
        late = [r for r in self.limited if self.t.alone and r.low >= self.settled - G and (uncapped or self.clear(r))]
        return all(least < self.t.S or reading == "counted" and self.while_full() < self.t.S or self.no_parts(late, reading) or any(
            r.low >= self.settled and len(self.may_count(r, reading, G)) < self.N for r in late) for reading in READINGS)
    def count(self):
        (clause, kinds, blame), given = COUNTS[self.reason], self.P["refutations"]
        mine = clause and (f"limits.{self.mine[1]}" if clause == "limits." else clause)
        load = self.clause.startswith("load.") and self.clause not in OBSERVED and self.reason != "whole-seconds"
        need(self.clause == mine or (load if clause else self.clause in SCENARIO_ALONE), "the reason of another clause")
        need(len(given) == 2 and given[0]["kind"] in kinds, "another deviation, or a reading is left")
        parts = [self.refutation(R, reading) for R, reading in zip(given, READINGS)]
        need(self.reason != "whole-seconds" or not self.deviates(), "a must clause deviates")
        return {"refutations": parts, "cap": self.cap(), "blame": {"kind": blame, **self.blame(blame, self.P["blame"])} if blame else None}
    def blame(self, kind, B):
        t, N, reading, first = self.t, self.N, B.get("reading", "counted"), self.limited[0] if self.limited else None
        need(reading in READINGS and (first or kind not in ("after-full", "was-full")), "no such reading, or no 429")
        if kind == "after-full":
            span = least_span([e for e in self.g if e.low <= first.high], N + 1)
            return need(span >= t.S, "it had not been full") or {"firstRefusal": first, "leastSpanMs": span}
        if kind == "was-full":
            full = sum(e.low <= first.high and e.high > first.high - t.X(0) for e in self.admitted)
            return need(full >= N, "it had not been full") or {"firstRefusal": first, "admitted": full}
        if kind == "length":
            longest = (min(least_span(self.g, N + 1), self.while_full() if reading == "counted" else INF) + Q) / (1 - RHO)
            shortest = max([(r.low - h - Q) / (1 + RHO) for r, h in self.lengths(reading)] + [0])
            need(shortest <= longest and (longest < t.W if self.reason == "too-short" else shortest > t.W), "no such length explains it")
            return {"reading": reading, "shortestMs": shortest, "longestMs": longest}
        if kind == "nodes":
            nodes = [e.x["node"] for e in self.admitted]
            need(len(set(nodes)) > 1 and all(nodes.count(n) <= N for n in nodes), "not counted per node")
            return {"admitted": [[n, nodes.count(n)] for n in sorted(set(nodes))]}
        if kind == "paths":
            main, sub = ([e for e in self.g if e.x["route"] == route] for route in ("main", "subpath"))
            apart, beside = least_span(main, N + 1), least_span(sub, N + 1)
            r = self.one(B["mainRefusal"], [e for e in main if e in self.limited], "no such 429")
            need(sub and min(apart, beside) >= t.S, "not counted apart")
            return {"mainLeastSpanMs": apart, "subpathLeastSpanMs": beside, "mainRefusal": r}
        same = 0 if self.reason == "one-window-for-scopes" else 1
        groups = [self.mine] + [g for g in t.groups if g != self.mine and g[same] == self.mine[same]]
        entries = [e for g in groups for e in t.group(*g)]
        self.all = entries + t.keyless({scope for _, scope in groups})
        need(len(groups) > 1 and not self.apart(entries, reading), "an admission is left")
        need(all(len(self.may_count(r, reading, G)) >= N for r in self.limited if r.low >= self.settled), "a 429 is left")
        return {"reading": reading, "groups": [{"key": key, "scope": scope} for key, scope in groups]}
    def apart(self, entries, reading):
        """Some admission shows that these are not counted together (4.5, 2)."""
        return any(sum(e.sure[reading] and e.high < x.low and x.high - e.low < self.t.S for e in entries) >= self.N for x in self.admitted)
    def remaining_of(self, e):
        raw = e.x["headers"]["remaining"]
        need(raw is not None and re.fullmatch("[0-9]{1,15}", raw) and e.x["status"] < 500, "no integer Remaining")
        return int(raw)
    def places_left(self):
        t, N, key = self.t, self.N, self.mine[0]
        need((self.clause, self.reason) == (f"limits.{self.mine[1]}", "refused-while-remaining"), "the reason of another clause")
        need(t.alone and not self.deviates(), "somebody else may have used the key, or the count is violated anyway")
        a = self.one(self.P["answer"], [e for e in self.admitted if e.high < min(r.low for r in self.limited)], "not an answer before the 429s")
        r = self.one(self.P["refusal"], [r for r in self.limited if r.high == min(e.high for e in self.limited)], "not the first 429")
        v, ours = self.remaining_of(a), [e for e in self.all if e.may["not-counted"]]
        need(r.high - min(e.low for e in self.g) < t.S, "the window may have rolled")
        need(N - sum(e.low <= a.high for e in ours) <= v <= N - 1 - sum(e.high < a.low for e in self.admitted), "Remaining counts others")
        near = [g for g in t.groups if g != self.mine and (g[0] == key or g[1] == self.mine[1])]
        near = [g for g in near if not self.apart(self.g + t.group(*g), "not-counted")]
        of = lambda e: valid(e.x) and ((e.x["key"], e.x["scope"]) in near or e.x["key"] == key and e.x["route"] != "main")
        since = sorted((e for e in t.entries if e not in (a, r) and e.meets(a.low, r.high) and (e in ours or of(e))), key=lambda e: e.id)
        t.unstepped(a.low, r.high), self.refusals.extend(self.limited)
        return {"answer": a, "refusal": r, "since": since, "cap": self.cap(), "inequality": inequality(len(since), "<", v)}
    def answer(self):
        e = self.one(self.P["exchange"], self.t.by_id.values(), "no such exchange")
        reason, found, expected = answer_flaw(self.t, self.clause, e.x)
        need(reason == self.reason, "the answer is right, or wrong for another reason")
        return {"exchange": e, "found": found, "expected": expected}
    def misfit(self, M, reading):
        kind, t, N, late = M["kind"], self.t, self.N, self.reason == "not-zero"
        e = self.one(M["exchange"], [e for e in self.g if (e.outcome == "limited") == late], "not such an answer")
        may = [s for s in self.all if s.may[reading] and s.meets(e.low - t.T, e.high - (t.S if kind == "may-leave" else 0))]
        before = lambda s: s.sure[reading] and s.high < e.low and s.low > e.high - t.S
        sure = [s for s in self.g if (e.outcome == "admitted" if s is e else before(s))]
        found, v = sure if kind == "surely-counted" else may, self.remaining_of(e)
        need(kind in MISFITS[self.reason] and (found is sure or t.alone and e.low >= self.settled), "somebody else may have used the key")
        right = {"surely-counted": max(0, N - len(found)), "perhaps-counted": N - len(found), "may-leave": len(found)}[kind]
        t.unstepped(min(e.low for e in self.g), e.high), self.refusals.extend([e] * (late or kind == "perhaps-counted"))
        return {"exchange": e, "kind": kind, "counted": found, "inequality": inequality(v, "<" if kind == "perhaps-counted" else ">", right)}
    def remaining(self):
        clause, wanted, _ = MISFITS[self.reason]
        readings = self.readings("misfit", self.misfit)
        kinds = {given["misfit"]["kind"] for given in readings if given["misfit"]}
        need(self.clause == clause and (wanted in kinds or self.reason == "not-zero"), "another reason")
        return {"readings": readings, "cap": self.cap(("none",) if "perhaps-counted" in kinds else ("none", "clear"))}
    def reset(self):
        t, e = self.t, self.one(self.P["exchange"], self.t.by_id.values(), "no such exchange")
        x, raw = e.x, e.x["headers"]["reset"]
        need(self.clause == "headers.reset" and x["credential"] == "valid" and t.of_api(x), "not such an answer")
        need(re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,9})?", raw), "Reset is no number")
        v, k, sent = float(raw), t.skew + t.w[x["clock"]] / 1000, (x["sentMs"] if x["wallSentMs"] is None else x["wallSentMs"]) / 1000
        received = (answered(x) if x["wallReceivedMs"] is None else x["wallReceivedMs"]) / 1000
        most, least = v + 1 - sent + Q / 1000, v - 2 - t.W / 1000 * (1 + RHO) - received - Q / 1000
        reason = "milliseconds" if v > 100 * sent else "delta" if v < sent / 100 else "beyond-window" if least > k else "past"
        need(self.reason == reason, f"the reason is {reason}")
        t.unstepped(x["sentMs"], answered(x))
        return {"exchange": e, "skewSeconds": k, "kind": "at-least" if least > k else "at-most",
                "inequality": inequality(least, ">", k) if least > k else inequality(most, "<", -k)}
    def promise(self):
        need((self.clause, self.reason) == ("error.retry-after-suffices", "second-429") and self.t.alone, "it cannot be said")
        return {"readings": self.readings("pair", self.pair), "cap": self.cap()}
    def pair(self, P, reading):
        f, r = (self.one(P[name], self.limited, "no such 429") for name in ("first", "again"))
        k = error_of(f.x, "retry_after_seconds")
        need(f is not r and isinstance(k, float) and k > 0 and k.is_integer(), "no such announcement")
        between = [e for e in self.all if e.may[reading] and e not in (f, r) and e.low <= r.high]
        need(not any(e.high >= f.low for e in between), "something may have taken the place in between")
        self.t.unstepped(f.low, r.high)
        return {"first": f, "again": r, "seconds": k, "inequality": inequality(r.low, ">=", f.high + k * 1000 * (1 + RHO) + Q)}
RULES = {"count": Check.count, "places-left": Check.places_left, "answer": Check.answer, "remaining": Check.remaining,
         "reset": Check.reset, "promise": Check.promise}

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
