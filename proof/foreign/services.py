"""Services in virtual time. One that is drawn here conforms by section 5.8 of docs/verdicts.md, word by word.

A violator is such a service with one part changed (violators.py)."""

import json
import math
from email.utils import formatdate
from functools import lru_cache

from limiters import Cap, Sliding

CODES = {400: 'bad_request', 401: 'unauthorized', 403: 'forbidden', 404: 'not_found', 405: 'method_not_allowed',
         409: 'conflict', 422: 'unprocessable', 410: 'gone', 415: 'unsupported_media_type'}


class Answer:
    def __init__(self, status, headers=None, body=None, content_type=None, retry_after=None, date=None):
        self.status, self.headers, self.body = status, headers or {}, body
        self.content_type, self.retry_after, self.date = content_type, retry_after, date


@lru_cache(maxsize=4096)
def http_date(second):
    """The text of a whole second since the epoch; many answers of one second carry it."""
    return formatdate(second, usegmt=True)


def escaped(value, rng_style):
    """JSON in one of the ways in which frameworks write it. All mean the same."""
    if rng_style == 'dense':
        return json.dumps(value, separators=(',', ':'))
    if rng_style == 'pretty':
        return json.dumps(value, indent=2) + '\n'
    if rng_style == 'sorted':
        return json.dumps(value, sort_keys=True)
    return ' ' + json.dumps(value, ensure_ascii=False) + '\r\n'


class Service:
    """`clock` turns a moment of the client into the service's clock (ms since the epoch)."""

    def __init__(self, rng, limits, window_ms, deployment, clock):
        self.rng, self.limits, self.window_ms, self.deployment, self.clock = rng, limits, window_ms, deployment, clock
        self.counters, self.caps = {}, {}
        self.counted = rng.random() < 0.3
        self.part, self.phase = 0.0, 0.0
        if rng.random() < 0.3:
            self.part = 1000 / rng.choice([1, 1, 1, 2, 4, 5, 10, 100])
            self.phase = rng.choice([0.0, rng.random() * self.part])
        self.cap = None
        if deployment.get('perSecond') == 'cap' or ('perSecond' not in deployment and rng.random() < 0.2):
            self.cap = rng.choice(['rolling', 'calendar', 'bucket', 'gap'])
        self.cap_remaining = self.cap is not None and rng.random() < 0.5
        path = deployment.get('requests', {}).get('media', {}).get('path', '')
        self.uploads_too = 'v1/messages' in path and deployment.get('mediaBelowMessages') != 'media' and rng.random() < 0.5
        self.refused_takes = rng.choice(['never', 'never', 'asks', 'always', 'either'])
        self.other_status = rng.choice([400, 404, 404, 405, 409, 422, 410])
        self.error5xx = rng.choice([0, 0, 0.002, 0.02])
        self.not_modified = rng.choice([0, 0, 0, 0.01])
        self.ok_status = rng.choice([200, 200, 200, 201, 202, 204])
        self.no_key_status = rng.choice([401, 401, 403, 400])
        self.no_key_headers = rng.random() < 0.3
        self.reset = rng.choice(['full', 'oldest', 'free', 'now', 'any'])
        self.reset_digits = rng.choice(['floor', 'ceil', 1, 3, 6, 9])
        self.wait = rng.choice(['least', 'least', 'least', 'some', 'window', 'long'])
        self.style = rng.choice(['dense', 'pretty', 'sorted', 'loose'])
        self.content_type = rng.choice(['application/json', 'application/json; charset=utf-8',
                                        'Application/JSON', 'application/problem+json'])
        self.message = rng.choice(['Too many requests', 'Langsamer, bitte – zu viele Anfragen', 'x', '\u26d4 "slow" \\ down\n',
                                   'limit exceeded ' * 300])
        self.more_fields = rng.random() < 0.3
        self.dates = rng.random() < 0.6
        self.retry_header = rng.choice(['none', 'seconds', 'date'])
        self.longest_wait = 0
        # Bodies of a 429 by the seconds that they tell: nothing else differs between two of them.
        self.texts = {}
        # What a violator may change.
        self.bucket = lambda req: (req.key, req.scope)
        self.make = None
        self.change_headers = self.change_429 = self.change_other = self.change_no_key = None
        self.late_429 = None

    def counter(self, req, scope):
        name = self.bucket(req) if scope == req.scope else (req.key, scope)
        if name not in self.counters:
            made = self.make(self, scope, req) if self.make else None
            self.counters[name] = made or Sliding(self.limits[scope], self.window_ms, self.part, self.phase, self.counted)
        return self.counters[name]

    def cap_of(self, req):
        rate = {'standard': 2, 'messages': 5}.get(req.scope)
        if self.cap is None or rate is None:
            return None
        return self.caps.setdefault((req.key, req.scope), Cap(self.cap, rate))

    def counters_of(self, req):
        both = self.uploads_too and req.scope == 'media'
        return [self.counter(req, req.scope)] + ([self.counter(req, 'messages')] if both else [])

    def decide(self, req, at):
        """The answer to a request that is counted at the client's moment `at`."""
        now = self.clock(at)
        if req.credential != 'valid':
            return self.no_key(req, now)
        counters, cap = self.counters_of(req), self.cap_of(req)
        if self.rng.random() < self.error5xx:
            if self.rng.random() < 0.5:
                self.pass_limiter(counters, cap, now)
            return Answer(self.rng.choice([500, 502, 503, 504]), body=self.rng.choice(['', 'oops', '<html>', '{"a":1}']),
                          content_type='text/html')
        if req.route == 'other':
            return self.other(req, counters, cap, now)
        if self.rng.random() < self.not_modified:
            return Answer(304, self.headers(req, counters, cap, now, False), body='')
        if self.pass_limiter(counters, cap, now):
            return Answer(self.ok_status, self.headers(req, counters, cap, now, False), date=self.date(now))
        return self.limited(req, counters, cap, now)

    def pass_limiter(self, counters, cap, now):
        """Whether the request is admitted by its windows and its cap, all or none."""
        room = (cap is None or cap.left(now) > 0) and all(c.left(now) > 0 for c in counters[1:])
        if not room:
            for c in counters:
                if getattr(c, 'counted', False):
                    c.take(now)
            return False
        if not counters[0].ask(now):
            for c in counters[1:]:
                if getattr(c, 'counted', False):
                    c.take(now)
            return False
        for c in counters[1:]:
            c.take(now)
        if cap:
            cap.take(now)
        return True

    def headers(self, req, counters, cap, now, limited):
        left = 0 if limited else counters[0].left(now)
        if cap and self.cap_remaining and cap.kind != 'gap' and not limited:
            left = min(left, max(0, cap.left(now)))
        headers = {'limit': str(self.limits[req.scope]), 'remaining': str(left),
                   'reset': self.reset_text(counters[0], now)}
        if self.change_headers:
            headers = self.change_headers(self, headers, req, now, 'limited' if limited else 'served', counters[0])
        return headers

    def reset_text(self, counter, now):
        at = {'full': now + self.window_ms, 'oldest': counter.oldest_leaves(now), 'free': counter.free_at(now),
              'now': now, 'any': now + self.rng.random() * self.window_ms}[self.reset]
        seconds = min(max(at, now), now + self.window_ms) / 1000
        if self.reset_digits == 'floor':
            return str(math.floor(seconds))
        if self.reset_digits == 'ceil':
            return str(math.ceil(seconds))
        return f'{seconds:.{self.reset_digits}f}'

    def seconds_to_wait(self, counters, cap, now):
        free = max([c.free_at(now) for c in counters] + ([cap.free_at(now)] if cap else []))
        least = max(1, math.ceil((free - now) / 1000 - 1e-9))
        window = math.ceil(self.window_ms / 1000)
        drawn = {'least': least, 'some': least + self.rng.randrange(3), 'window': max(least, window),
                 'long': self.rng.randint(least, max(least, 2 * window))}[self.wait]
        told = max(least, min(drawn, 2 * window))
        self.longest_wait = max(self.longest_wait, told)
        return told

    def limited(self, req, counters, cap, now):
        seconds = self.seconds_to_wait(counters, cap, now)
        error = {'code': 'rate_limit_exceeded', 'message': self.message, 'retry_after_seconds': seconds}
        body = {'success': False, 'error': error}
        if self.more_fields:
            body['request'] = {'id': 'q', 'success': True}
            error['limit'] = 1.5
        retry = {'none': lambda: None, 'seconds': lambda: str(seconds),
                 'date': lambda: http_date(math.floor(now / 1000 + seconds))}[self.retry_header]()
        text = self.texts.get(seconds)
        if text is None:
            text = self.texts[seconds] = escaped(body, self.style)
        answer = Answer(429, self.headers(req, counters, cap, now, True), text,
                        self.content_type, retry, self.date(now))
        if self.change_429:
            self.change_429(self, answer, body, req, now)
        return answer

    def other(self, req, counters, cap, now):
        how = self.refused_takes
        how = self.rng.choice(['never', 'asks', 'always']) if how == 'either' else how
        if how == 'asks' and not self.pass_limiter(counters, cap, now):
            return self.limited(req, counters, cap, now)
        if how == 'always':
            for c in counters:
                c.take(now)
        answer = Answer(self.other_status, self.headers(req, counters, cap, now, False),
                        self.error_body(self.other_status), self.content_type, date=self.date(now))
        if self.change_other:
            self.change_other(self, answer, req)
        return answer

    def error_body(self, status):
        body = {'success': False, 'error': {'code': CODES.get(status, 'failed'), 'message': self.message}}
        return escaped(body, self.style)

    def no_key(self, req, now):
        headers = {'limit': '0', 'remaining': '-1', 'reset': 'never'} if self.no_key_headers else {}
        answer = Answer(self.no_key_status, headers, self.error_body(self.no_key_status), self.content_type,
                        date=self.date(now))
        if self.change_no_key:
            self.change_no_key(self, answer, req)
        return answer

    def date(self, now):
        return http_date(math.floor(now / 1000)) if self.dates else None
