#!/usr/bin/env python3
"""Checks certificates of violations against their traces: python3 check.py FOLDER [FOLDER ...]; each holds trace.ndjson and evidence/*.json.
Written from docs/verdicts.md alone, whose sections are named here. Exit status: 0 all confirmed, 1 some rejected, 2 nothing to check.
A test bounds its lines and their length: who doubts a verdict can read in one sitting all that stands between a trace and "confirmed"."""
import bisect, collections, functools, hashlib, json, math, pathlib, re, sys
RHO, Q, G, INF, ABSENT, PROXY, FIELDS = 0.0004, 1, 1000, math.inf, object(), (408, 413, 431, 499), ("limit", "remaining", "reset")
BOUNDS = {"clockRate": RHO, "clockResolutionMs": 1.0, "granularityMs": 1000.0, "clockStepMs": 2.0, "clockSlew": 0.0001}
READINGS, CAPS, PARTS = ["not-counted", "counted"], {"standard": {"perSecond": 2}, "messages": {"perSecond": 5}}, 100
SHOULD, EXCEEDED = ("window.granularity", "error.message-text", "error.content-type", "error.retry-after-length"), "rate_limit_exceeded"
LOAD, BURSTS = r"load\.(?!(latency|neighbour-latency|keys-cost)$).+", ("load.messages-burst", "load.media-burst", "load.nodes")
OVER, ROOM, ALONE = {"over-admission"}, {"refused-with-room", "no-parts"}, ({"places-left"}, {"offset"})
EITHER = OVER | ROOM | {"refused-together", "admitted-while-full", "above-count", "below-count", "above-leaving", "waited"}  # For a reading.
REASONS = {  # Of each reason: the clause, the rules one of which shows it, and the rule of its blame (6).
    "over-admission": ("limits.SCOPE", OVER, []), "wrongful-429": ("limits.SCOPE", ROOM, []), "too-short": ("window.length", OVER, ["length"]),
    "early-return": ("window.rolling", OVER, ["held-before"]), "late-return": ("window.rolling", ROOM, ["full-before"]),
    "one-window-for-scopes": ("limits.per-scope", ROOM, ["together"]), "one-window-for-keys": ("limits.per-key", ROOM, ["together"]),
    "counted-apart": ("limits.messages-subpaths", OVER, ["held-paths"]), "too-long": ("window.length", ROOM, ["length"]),
    "counted-per-node": (None, OVER, ["held-nodes"]), "whole-seconds": ("window.granularity", {"refused-with-room"}, []),
    "too-high": ("headers.remaining", {"above-count"}, []), "too-low": ("headers.remaining", {"below-count"}, []),
    "not-zero": ("headers.remaining-on-429", {"above-count", "above-leaving"}, []), "refused-while-remaining": ("limits.SCOPE", ALONE[0], []),
    "second-429": ("error.retry-after-suffices", {"waited"}, []),
    **dict.fromkeys(("milliseconds", "delta", "beyond-window", "past"), ("headers.reset", ALONE[1], []))}
class Record: __init__ = lambda self, **fields: vars(self).update(fields)
def need(holds, why="the trace does not show what the rule asks for"):
    if not holds: raise ValueError(why)
def parse(text, integer=int):  # The JSON value, or ABSENT where the text is none; NaN and Infinity are none.
    try: return json.loads(text, parse_int=integer, parse_constant={}.__getitem__)
    except (json.JSONDecodeError, KeyError): return ABSENT
text_of, plain = functools.partial(json.dumps, sort_keys=True), lambda number: None if math.isinf(number) else float(number)
def field(value, name): return value.get(name, ABSENT) if isinstance(value, dict) else ABSENT
spread, in_order = lambda values: max(values, default=0) - min(values, default=0), functools.partial(sorted, key=lambda e: e.order)
def exchange(line):  # An exchange, with what is asked of it often, and its body (ABSENT where it is not JSON), which is judged or not (5.1).
    x, body = Record(**{"scenario": None, "bodyState": None, "sentOnce": None, **line}, line=line), line["body"] or ""
    x.keyed, x.valid, x.parsed = x.credential == "valid", x.credential == "valid" and x.key is not None, parse(body)
    x.bare, x.answered = all(x.headers[name] is None for name in FIELDS), x.sentMs if x.receivedMs is None else x.receivedMs
    state, clear = x.bodyState or ("whole" if len(body.encode("utf-16-le")) < 4096 else "beyond-bound"), re.match(r'\s*[^\s{\["\-tfn0-9]', body)
    readable = state == "whole" or state != "partial" and (x.parsed is not ABSENT or clear is not None)
    x.judged, x.error = x.method != "HEAD" and readable, field(x.parsed, "error")
    x.code, x.message, x.wait = (field(x.error, name) for name in ("code", "message", "retry_after_seconds"))
    x.exceeded, x.proxy = x.judged and x.code == EXCEEDED, x.status is None or x.status >= 500 or x.bare and x.status in PROXY
    page = re.match(*((r"\s*<(!doctype|html)", body) if x.judged else ("text/html", x.contentType or "")), re.I) and x.status in (403, 429)
    x.other_layer, x.outcome = x.proxy or page and x.keyed and x.bare, "refused" if page and x.keyed and x.bare else x.outcome
    return x
def read(raw):  # A trace (1), with the widening of its clocks and the interval of each request (2).
    *lines, last = raw.decode("utf-8").split("\n")
    lines = [parse(line, float) for line in lines if line] + [line for line in [parse(last, float)] if line is not ABSENT]
    of, found = lambda kind: [line for line in lines if line["kind"] == kind], {}
    for x in of("exchange"): need(found.setdefault(x["requestId"], x) is x or text_of(found[x["requestId"]]) == text_of(x), "one requestId twice")
    sent = {one["requestId"]: {n: v for n, v in (*line.items(), *one.items()) if n != "requests"} for line in of("sent") for one in line["requests"]}
    nothing = {**dict.fromkeys(("receivedMs", "wallReceivedMs", "status", "retryAfter", "date", "contentType", "body")), "kind": "exchange",
               "headers": dict.fromkeys(FIELDS), "failure": "the run died before the answer", "outcome": "indeterminate"}
    known, dead = [exchange(x) for x in found.values()], [exchange({**x, **nothing}) for id, x in sent.items() if id not in found]
    t = Record(sha=hashlib.sha256(raw).hexdigest(), header=lines[0], looks=of("clock"), x=known + dead, W=lines[0]["windowMs"],
               settings=lines[0]["deployment"], loads={line["scenario"] for line in of("load")})
    lost = any(line["state"] == "incomplete" and (INF if line["requestsSent"] is None else line["requestsSent"]) > sum(
        x.scenario == line["scenario"] for x in known) for line in of("load"))
    begun = {line["scenario"] for line in of("begun")} | {x.scenario for x in known if x.driver == "k6" and x.scenario}
    died = not of("end") and (begun - t.loads or any(x.driver != "k6" and x.requestId not in sent for x in known))
    t.alone, t.S, t.X = t.settings.get("exclusiveKeys", True) and not died and not lost, t.W * (1 - RHO) - Q, lambda g: (t.W + g) * (1 + RHO) + Q
    t.T, t.w = t.X(0) + G, {clock: width(t, clock) for clock in {x.clock for x in t.x} | {look["clock"] for look in t.looks}}
    for place, x in enumerate(t.x):
        first, last, w = min(x.sentMs, x.answered), INF if x.receivedMs is None else max(x.sentMs, x.answered), t.w[x.clock]
        x.low, x.high, x.order = first - w, last + w, (first - w, x.index, place)
    again = [Record(**{**vars(x), "outcome": "indeterminate"}) for x in t.x if twice(t, x)]
    t.by_id, t.entries, t.ban = {x.requestId: x for x in t.x}, in_order(t.x + again), ban(t)
    t.served = {x.key: x.sentMs for x in sorted(t.x, key=lambda x: x.sentMs) if x.valid and x.outcome in ("admitted", "limited")}
    return t
def twice(t, x):  # Go may have sent it twice (2).
    names = {name.lower() for name in t.settings["requests"].get(x.scope, {}).get("headers", {})} & {"idempotency-key", "x-idempotency-key"}
    return x.driver == "k6" and x.sentOnce is not True and (names or x.method in ("GET", "HEAD", "OPTIONS", "TRACE"))
def width(t, clock):  # w of a clock (2).
    named = next((c for c in t.header["clocks"] if c["id"] == clock), {"kind": None, "offsetMsMax": INF})
    walls = [look["wallMs"] for look in t.looks if look["clock"] == named.get("tiedBy")] or [INF]
    times = [at for x in t.x if x.clock == clock and x.wallSentMs is None for at in (x.sentMs, x.answered)]
    if named["kind"] == "wall" and any(not min(walls) <= at <= max(walls) for at in times): return INF
    apart = [x.wallSentMs - x.sentMs for x in t.x if x.wallSentMs is not None] + [look["wallMs"] - look["monotonicMs"] for look in t.looks]
    return 0 if len({x.clock for x in t.x}) == 1 else named["offsetMsMax"] and named["offsetMsMax"] + max(map(abs, apart), default=0)
def unstepped(t, start, end):  # No clock was stepped in this span (3).
    for clock, w in t.w.items():
        samples = [pair for x in t.x if x.clock == clock for pair in ((x.sentMs, x.wallSentMs), (x.receivedMs, x.wallReceivedMs))]
        apart = [wall - at for at, wall in samples if None not in (at, wall) and start - w <= at <= end + w]
        looks = sorted((look["monotonicMs"], look["wallMs"]) for look in t.looks if look["clock"] == clock)
        met = [(a, b) for a, b in zip(looks, looks[1:]) if min(a + b) - (b[0] - a[0] + w) <= end and max(a + b) + (b[0] - a[0] + w) >= start]
        over = [spread([wall - at for at, wall in part]) > 0.0001 * spread([at for at, _ in part]) + 2 for part in (sum(met, ()), *met)]
        need(spread(apart) <= 0.0001 * (end - start) + 2 and not any(over), "a clock step lies in the span of the proof")
def ban(t):  # The answers of a ban (5.7).
    mine = [x for x in t.x if x.keyed and x.route != "other"]
    shut, served = ([x for x in mine if x.outcome in outcomes] for outcomes in (["refused"], ["admitted", "limited"]))
    shut = [x for x in shut if x.bare and not x.proxy and not x.exceeded]
    if len(shut) < 8 or len({x.status for x in shut}) > 1: return []
    start, end = min(x.answered for x in shut), max(x.sentMs for x in shut)
    since, keyless = max([x.sentMs for x in served if x.answered <= start], default=-INF), any(not x.valid and x.sentMs < start for x in t.x)
    opened = any(x.sentMs > start and x.answered < end for x in served) or not keyless or all(x.sentMs > start for x in served)
    return [] if opened else [x for x in t.x if x.status == shut[0].status and x.bare and x.answered >= since]
def flaw(t, clause, x):  # The reason for which this answer alone proves that the clause is violated (5.1); false or None where it does not.
    of_api, limited, most = not x.other_layer and x not in t.ban, x.keyed and x.outcome == "limited", math.ceil(t.W / 1000)
    untaken = x.bare and x.valid and ((x.status or 0) // 100 == 3 or x.status in (401, 403, 407)) and x.answered >= t.served.get(x.key, -INF)
    keyed, other, success = x.keyed and of_api and not untaken, (x.status or 0) >= 400 and of_api and not limited, field(x.parsed, "success")
    shape = ("not-json" if x.parsed is ABSENT else "no-success" if success is ABSENT else "success-not-false" if success is not False else
             "no-error-object" if type(x.error) is not dict else "no-code" if other and type(x.code) is not str else
             other and type(x.message) is not str and "no-message")
    odd = {name: raw is not None and not re.fullmatch("[0-9]{1,15}" + r"(\.[0-9]{1,9})?" * (name == "reset"), raw) and "not-an-integer"
           for name, raw in x.headers.items()}
    wrong_limit = not odd["limit"] and x.headers["limit"] is not None and int(x.headers["limit"]) != t.header["limits"][x.scope] and "wrong-limit"
    json_type, missing = re.match(r"application/([\w.+-]+\+)?json\b", x.contentType or "", re.I | re.A), None in x.headers.values()
    told = x.judged and limited and (x.error is None or type(x.error) in (dict, list))
    return {"headers.present": keyed and missing and "missing-on-" + {"admitted": "success", "limited": "429"}.get(x.outcome, "error"),
            "headers.limit": keyed and (odd["limit"] or wrong_limit), "headers.remaining": keyed and odd["remaining"],
            "headers.reset": keyed and odd["reset"], "error.status": x.valid and x.exceeded and x.outcome == "refused" and "not-429",
            "auth.bearer": not x.keyed and x.outcome == "admitted" and "admitted-without-key", "error.shape": x.judged and limited and shape,
            "error.content-type": limited and x.method != "HEAD" and not json_type and "not-json", "error.other-shape": x.judged and other and shape,
            "error.code": told and ("absent" if x.code is ABSENT else x.code != EXCEEDED and "wrong-code"),
            "error.message": told and ("absent" if x.message is ABSENT else type(x.message) is not str and "not-a-string"),
            "error.message-text": told and type(x.message) is str and not x.message.strip() and "empty",
            "error.retry-after": told and ("absent" if x.wait is ABSENT else "not-an-integer" if type(x.wait) is not int else
                                           "zero" if x.wait < 1 else x.wait > max(2 * most, most + 2) and "too-long"),
            "error.retry-after-length": told and type(x.wait) in (int, float) and x.wait > most + 2 and "longer-than-needed"}.get(clause)
def check(t, cert):  # Confirms a certificate, or raises what is wrong with it (6).
    c, parts = Record(**vars(t), t=t, clause=cert["clause"], reason=cert["reason"], scope="", cap=None, rests=[], should=False), cert["parts"]
    c.rules, group = [part["rule"] for part in parts], group_of(c, cert["group"]) if parts and c.clause != "headers.reset" else None
    named = {id for part in parts for id in part["requestIds"]} or {cert["exchanges"][0]["exchange"]["requestId"]}
    rows = [{"lowMs": plain(e.low), "highMs": plain(e.high), "exchange": e.line} for e in in_order(t.by_id[id] for id in named)]
    whole = {"kind": "certificate", "schemaVersion": 2.0, "runId": t.header["runId"], "traceSha256": t.sha, "clause": c.clause, "group": group,
             "level": "should" if c.clause in SHOULD else "must", "reason": c.reason, "bounds": BOUNDS, "exchanges": rows, "parts": [*parts]}
    for name in cert.keys() | whole.keys(): need(text_of(cert[name]) == text_of(whole[name]), f"{name} is not as it has to be")
    for part in parts: need(text_of(part) == text_of(confirmed(c, **part)), "parts is not as it has to be")
    if parts: structure(c, c.rules, [part["reading"] for part in parts])
    else: need(all(flaw(t, c.clause, t.by_id[id]) == c.reason for id in named), "the answer is right, or wrong for another reason")
def group_of(c, given):  # The group that the certificate is about (4.1).
    load = c.clause[5:] if c.clause.startswith("load.") else None
    c.key, c.scope, c.N, own = given["key"], given["scope"], int(c.header["limits"][given["scope"]]), load if c.clause in BURSTS else None
    c.g = [e for e in c.entries if e.valid and (e.key, e.scope) == (c.key, c.scope) and own in (None, e.scenario)]
    c.all, c.keyless = in_order(c.g + [e for e in c.entries if not e.valid and e.scope == c.scope]), [e for e in c.entries if not e.valid]
    c.admitted, c.limited = ([e for e in c.g if e.outcome == outcome] for outcome in ("admitted", "limited"))
    figures = c.settings.get("document", {}).get("scopes", CAPS) if c.settings.get("perSecond") != "average" else {}
    c.settled, c.cap = min(e.sentMs + c.w[e.clock] for e in c.g) + c.T, figures.get(c.scope, {}).get("perSecond")
    need(not load or load in c.loads and any(e.scenario == load for e in c.g), "the scenario did not run, or not here")
    need(not c.clause.startswith(("limits.", "window.")) or any(e.driver != "k6" for e in c.g), "only k6 sent there")
    return {"key": c.key, "scope": c.scope, "scenario": own, "limit": float(c.N), "windowMs": c.W, "settledMs": plain(c.settled)}
def confirmed(c, rule, reading, requestIds, **numbers):  # The part as it has to be: its inequality holds, and no clock step lies in its span.
    requests, left, relation, right, *span = RULES[rule](c, [c.by_id[id] for id in requestIds], reading)
    need(left < right or relation == "<=" and left == right, f"{rule}: {left} {relation} {right} does not hold")
    if span: unstepped(c.t, *span)
    return {"rule": rule, "reading": reading, "requestIds": [e.requestId for e in requests],
            "left": plain(left), "relation": relation, "right": plain(right)}
def structure(c, rules, readings):  # One part for each reading, then what rules a cap out, then the blame, which may choose a reading (6).
    (clause, shows, blame), load = REASONS[c.reason], re.fullmatch(LOAD, c.clause)
    first, both = rules[:1 if shows in ALONE else 2], [None] if shows in ALONE else READINGS
    cap = ["no-cap" if {"no-cap", "below-count"} & {*rules} else "clear"] if c.rests and c.cap else []
    of_load, of_clause = load and shows in (OVER, ROOM) and (clause or c.clause in BURSTS), clause and c.clause == clause.replace("SCOPE", c.scope)
    need((of_load or of_clause) and {*first} & shows and {*first} <= shows | EITHER and rules == first + cap + blame, "not the parts of the reason")
    chosen = (readings[-1] if readings[-1] in READINGS else READINGS) if {*blame} & {"length", "together"} else None
    need(readings == both + [None] * len(cap) + [chosen] * len(blame), "another reading")
    need(c.reason != "whole-seconds" or c.should, "a must clause deviates")
def sure(e, reading): return e.outcome == "admitted" or reading == "counted" and e.outcome == "limited"
def may(e, reading): return reading == "counted" or e.outcome != "limited" or not e.valid
def may_count(c, r, reading, low): return [e for e in c.all if e is not r and may(e, reading) and e.low <= r.high and e.high >= low]
near, route = lambda c, r: may_count(c, r, "counted", r.low - (2000 * (1 + RHO) + Q)), lambda c, name: [e for e in c.g if e.route == name]
def least_span(c, entries):  # The least max(high) - min(low) of N + 1 admitted ones (4.3).
    highs, best = [], INF
    for e in reversed([e for e in entries if e.outcome == "admitted"]):
        bisect.insort(highs, e.high)
        best = min(best, highs[c.N] - e.low) if len(highs) > c.N else best
    return best
def crowd(c, given, count, bound):  # So many admitted requests that no window of this length holds them.
    need(len({e.requestId for e in given}) == len(given) == count and all(e in c.admitted for e in given))
    low, high = min(e.low for e in given), max(e.high for e in given)
    return in_order(given), high - low, "<", bound, low, high
def while_full(c, given, reading):  # An admission after so many that surely took a place.
    x, *full = given
    need(reading == "counted" and x in c.admitted and len({e.requestId for e in full}) == len(full) == c.N)
    need(all(e in c.g and sure(e, reading) and e.high < x.low for e in full))
    return [x, *in_order(full)], x.high - min(e.low for e in full), "<", c.S, min(e.low for e in full), x.high
def with_room(c, given, reading):  # A 429 before which fewer than the limit may have taken a place.
    r, wide = given[0], 0 if c.clause == "window.granularity" else G
    need(c.alone and r in c.limited and r.low >= c.settled - G + wide)
    found, c.rests = may_count(c, r, reading, r.low - c.X(wide)), c.rests + [r]
    c.should |= r.low < c.settled or len(may_count(c, r, reading, r.low - c.X(G))) >= c.N  # It is none where a must clause deviates.
    return [r, *found], len(found), "<", c.N, r.low - c.T, r.high
def refused_together(c, given, reading):  # 429s of which none can have been decided first: each had room without the others (4.2).
    need(reading == "counted" and c.alone and len({*map(id, given)}) == len(given) and all(r in c.limited and r.low >= c.settled for r in given))
    most, c.rests = max(sum(e not in given for e in may_count(c, r, reading, r.low - c.X(G))) for r in given), c.rests + given
    return in_order(given), most, "<", c.N, min(r.low for r in given) - c.T, max(r.high for r in given)
def reaches(c, reading):  # The (r, h(r)) of all 429s that have one, -infinity where there are too few entries (4.4).
    for r in c.limited:
        room, highs = c.N - len(may_count(c, r, reading, r.low)), sorted(e.high for e in c.all if may(e, reading) and e.high < r.low)
        if room > 0: yield r, highs[-room] if len(highs) >= room else -INF
def covers(stretches, p):  # The stretches, laid around a round of p, cover it.
    laid, whole = sorted((a % p, a % p + b - a) for a, b in stretches if b > a), any(b - a >= p for a, b in stretches)
    reached = max([b - p for _, b in laid] + [0])
    for a, b in laid: reached = max(reached, b) if a <= reached else -INF
    return whole or reached >= p
def no_parts(c, _, reading):  # No service that counts in equal parts of a second, or exactly, explains these 429s.
    need(c.alone and c.clause != "window.granularity")
    late, both = [r for r in c.limited if r.low >= c.settled - G and not ("clear" in c.rules and near(c, r))], c.admitted + c.limited
    starts, highs = (sorted(vars(e)[end] for e in c.g if sure(e, reading)) for end in ("low", "high"))
    start, c.rests = c.settled - c.T, c.rests + late
    earliest, latest = lambda at: at - start - RHO * abs(at - start) - Q, lambda at: at - start + RHO * abs(at - start)
    held = [(max(h, start), r.low) for r, h in reaches(c, reading) if r in late]
    freed = [(starts[m - c.N], x.high) for x in c.admitted for m in [bisect.bisect_left(highs, x.low)] if m >= c.N]
    without, exact = [(latest(taken), earliest(at) - c.W) for taken, at in held], all(at - c.X(0) <= taken for taken, at in held)
    rounds = [without + [(latest(at) - c.W, earliest(taken) + G / n) for taken, at in freed] for n in range(1, PARTS + 1)]
    services = exact + all(b - a < G / PARTS for a, b in without) + sum(not covers(one, G / n) for n, one in enumerate(rounds, 1))
    return late, services, "<", 1, min(e.low for e in both), max(e.high for e in both)
def length(c, _, reading):  # A rolling window of another length explains the group (4.4).
    before = [(x, [e.low for e in c.g if sure(e, reading) and e.high < x.low]) for x in c.admitted]
    spans = [x.high - lows[-c.N] for x, lows in before if len(lows) >= c.N and reading == "counted"] + [least_span(c, c.g)]
    shortest, longest = max([(r.low - h - Q) / (1 + RHO) for r, h in reaches(c, reading)] + [0]), (min(spans) + Q) / (1 - RHO)
    need(shortest > c.W if c.reason == "too-long" else longest < c.W)
    return [], shortest, "<=", longest
def most_before(c, entries, reading):  # The most of these that surely took a place before an admission, and inside one window with it (4.5).
    return max([sum(sure(e, reading) and e.high < x.low and x.high - e.low < c.S for e in entries) for x in c.admitted], default=0)
def together(c, _, reading):  # One window for the scopes of the key, or for the keys of the scope, explains the 429s (4.5).
    name = "key" if c.reason == "one-window-for-scopes" else "scope"
    ours, late = [e for e in c.entries if e.valid and vars(e)[name] == vars(c)[name]], [r for r in c.limited if r.low >= c.settled]
    need(len({(e.key, e.scope) for e in ours}) > 1 and most_before(c, ours, reading) < c.N)
    c.all = ours + [e for e in c.keyless if e.scope in {one.scope for one in ours}]
    return [], c.N, "<=", min([len(may_count(c, r, reading, r.low - c.X(G))) for r in late], default=INF)
def held_nodes(c, *_):  # Several nodes, none of which admitted more than the limit (4.3).
    nodes = collections.Counter(e.node for e in c.admitted)
    return [], max(nodes.values()), "<=", c.N if len(nodes) > 1 else need(False)
def left_of(e): return int(e.headers["remaining"]) if re.fullmatch("[0-9]{1,15}", e.headers["remaining"]) and e.status < 500 else need(False)
def places_left(c, given, _):  # A 429 although an answer had just left more places than may have been taken since (4.3).
    (a, r), ours, group, v = given[:2], [e for e in c.all if may(e, "not-counted")], lambda e: (e.key, e.scope), left_of(given[0])
    need(c.alone and a in c.admitted and a.high < min(e.low for e in c.limited) and r in c.limited and r.high == min(e.high for e in c.limited))
    need(r.high - c.g[0].low < c.S and c.N - sum(e.low <= a.high for e in ours) <= v <= c.N - 1 - sum(e.high < a.low for e in c.admitted))
    beside, c.rests = [e for e in c.entries if e.valid and (e.key == c.key) != (e.scope == c.scope)], c.rests + c.limited
    shared = {g for g in {*map(group, beside)} if most_before(c, c.g + [e for e in beside if group(e) == g], "not-counted") < c.N}
    since = [e for e in c.entries if e not in (a, r) and e.low <= r.high and e.high >= a.low and (
        e in ours or e.valid and (group(e) in shared or e.key == c.key and e.route != "main"))]
    return [a, r, *since], len(since), "<", v, a.low, r.high
def remaining(c, given, reading, rule):  # Remaining is not what a service can have left that keeps to the reading (5.3).
    e, limited, v, span = given[0], given[0].outcome == "limited", left_of(given[0]), (c.g[0].low, given[0].high)
    took = [s for s in c.g if (e.outcome == "admitted" if s is e else sure(s, reading) and s.high < e.low and s.low > e.high - c.S)]
    perhaps = [s for s in c.all if may(s, reading) and s.low <= e.high - c.S * limited and s.high >= e.low - c.T]
    need(e in c.g and c.clause == "headers.remaining" + "-on-429" * limited)
    need(rule == "above-count" or c.alone and e.low >= c.settled and limited == (rule == "above-leaving"))
    c.rests = c.rests + [e] * (limited or rule == "below-count")
    if rule == "above-count": return [e, *took], max(0, c.N - len(took)), "<", v, *span
    return ([e, *perhaps], len(perhaps), "<", v, *span) if limited else ([e, *perhaps], v, "<", c.N - len(perhaps), *span)
def offset(c, given, _):  # No offset of the service's clock within the skew puts Reset where it may be (5.4).
    (e,), k = given, c.settings.get("clockSkewSecondsMax", 5) + c.w[given[0].clock] / 1000
    need(e.keyed and not e.other_layer and e not in c.ban and re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,9})?", e.headers["reset"]))
    v, sent = float(e.headers["reset"]), (e.sentMs if e.wallSentMs is None else e.wallSentMs) / 1000
    received = (e.answered if e.wallReceivedMs is None else e.wallReceivedMs) / 1000
    most, least = v + 1 - sent + Q / 1000, v - 2 - c.W / 1000 * (1 + RHO) - received - Q / 1000
    need(c.reason == ("milliseconds" if v > 100 * sent else "delta" if v < sent / 100 else "beyond-window" if least > k else "past"))
    return ([e], k, "<", least, e.sentMs, e.answered) if least > k else ([e], most, "<", -k, e.sentMs, e.answered)
def waited(c, given, reading):  # A 429 after the wait that another had announced, and nothing in between that may have taken the place (5.5).
    (f, r), k = given, given[0].wait if given[0].judged else None
    need(c.clause == "error.retry-after-suffices" and c.alone and f in c.limited and r in c.limited and type(k) is int and k > 0)
    need(all(e.high < f.low for e in c.all if may(e, reading) and e not in (f, r) and e.low <= r.high))
    return given, f.high + k * 1000 * (1 + RHO) + Q, "<=", r.low, f.low, r.high
RULES = {  # Each gives its requests, an inequality, and the span in which no clock may have been stepped, if any (6).
    "over-admission": lambda c, given, _: crowd(c, given, c.N + 1, c.S), "admitted-while-full": while_full, "refused-with-room": with_room,
    "no-parts": no_parts, "no-cap": lambda c, given, _: crowd(c, given, 2 * c.cap + 1, 1000 * (1 - RHO) - Q), "length": length,
    "clear": lambda c, *_: ([], sum(len(near(c, r)) for r in c.rests), "<", 1), "together": together, "held-nodes": held_nodes, "offset": offset,
    "held-before": lambda c, *_: (c.limited[:1], c.S, "<=", least_span(c, [e for e in c.g if e.low <= c.limited[0].high])),
    "full-before": lambda c, *_: (c.limited[:1], c.N, "<=", sum(
        e.low <= c.limited[0].high and e.high > c.limited[0].high - c.X(0) for e in c.admitted)),
    "held-paths": lambda c, *_: ([[e for e in c.limited if e.route == "main"][0], route(c, "subpath")[0]], c.S, "<=",
                                 min(least_span(c, route(c, "main")), least_span(c, route(c, "subpath")))),
    "above-count": lambda *of: remaining(*of, "above-count"), "below-count": lambda *of: remaining(*of, "below-count"),
    "above-leaving": lambda *of: remaining(*of, "above-leaving"), "places-left": places_left, "waited": waited, "refused-together": refused_together}
def main(folders):
    seen, rejected, read_once = 0, 0, functools.cache(lambda folder: read((folder / "trace.ndjson").read_bytes()))
    for path in (path for folder in folders for path in sorted(pathlib.Path(folder).glob("evidence/*.json"))):
        seen, why = seen + 1, "confirmed"
        try: check(read_once(path.parents[1]), parse(path.read_text("utf-8"), float))
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, OSError, RecursionError) as error:
            why, rejected = f"rejected: {error if type(error) is ValueError else repr(error)}", rejected + 1
        print(f"{path}: {why}")
    if not seen: print("There is no certificate to check: name folders that hold trace.ndjson and evidence/*.json.", file=sys.stderr)
    return 2 if not seen else 1 if rejected else 0
if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
