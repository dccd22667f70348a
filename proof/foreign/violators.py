"""Services that break the document, each in one way: name -> (clauses that it breaks, what is changed).

A wrong count shows as one deviation, and the page's section 4.3 says which clause it is reported under; that depends on
the traffic, so every clause of a count is named for it."""

import json
import math

from limiters import Block, Changing, Fixed, Racing, Sliding, Tokens, TwoBucket

SCOPES = ('standard', 'messages', 'media')
LOAD = ['load.messages-burst', 'load.media-burst', 'load.rolling-window', 'load.over-pressure', 'load.sustained',
        'load.noisy-neighbour', 'load.mixed-scopes', 'load.many-keys', 'load.nodes']
# A wrong count is reported as a shared or divided window too, where that explains the answers (section 4.3).
SHARED = ['limits.per-scope', 'limits.per-key', 'limits.messages-subpaths']
COUNT = ['limits.standard', 'limits.messages', 'limits.media', 'window.rolling', 'window.length', *SHARED, *LOAD]
# Who counts otherwise than the page also reports what remains, or how long to wait, by that count.
REPORTED = ['headers.remaining', 'headers.remaining-on-429', 'error.retry-after-suffices', 'error.retry-after']
SHOULD = ['window.granularity', 'error.retry-after-length']
VIOLATORS = {}


def add(name, breaks, change):
    VIOLATORS[name] = (breaks, change)


def counting(name, make, more=()):
    """All scopes count by `make(limit, length, rng)`."""
    def change(service, world, rng):
        plain(service)
        service.make = lambda s, scope, req: make(s.limits[scope], s.window_ms, rng)
    add(name, COUNT + REPORTED + SHOULD + list(more), change)


def plain(service):
    service.counted, service.part, service.cap, service.uploads_too = False, 0.0, None, False


def bucket(name, of, more):
    """The windows are divided or shared otherwise than by key and scope."""
    def change(service, world, rng):
        plain(service)
        service.bucket = of
        service.make = lambda s, scope, req: Sliding(s.limits[scope], s.window_ms)
    add(name, COUNT + REPORTED + SHOULD + more, change)


for phase in ('wall', 'own', 'first'):
    for share, called in ((1, 'minute'), (0.5, 'half'), (2, 'two')):
        def fixed(limit, length, rng, phase=phase, share=share):
            at = {'wall': 0.0, 'own': rng.random() * length, 'first': None}[phase]
            return Fixed(max(1, round(limit * share)), length * share, at)
        counting(f'fixed-{phase}-{called}', fixed)
    for counted in (True,):
        counting(f'fixed-{phase}-counted', lambda limit, length, rng, phase=phase: Fixed(
            limit, length, {'wall': 0.0, 'own': rng.random() * length, 'first': None}[phase], True))
counting('two-bucket-wall', lambda n, w, rng: TwoBucket(n, w))
counting('two-bucket-own-phase', lambda n, w, rng: TwoBucket(n, w, rng.random() * w))
for size in (1, 0.5, 0.1, 2):
    counting(f'token-bucket-{size}', lambda n, w, rng, size=size: Tokens(max(1, round(n * size)), n / w))
counting('token-bucket-half-rate', lambda n, w, rng: Tokens(n, n / w / 2))
counting('token-bucket-double-rate', lambda n, w, rng: Tokens(n, n / w * 2))
counting('leaky-bucket', lambda n, w, rng: Tokens(1, n / w))
counting('leaky-bucket-of-3', lambda n, w, rng: Tokens(3, n / w))
for blocked in (1.5, 2, 5):
    for again in (False, True):
        counting(f'blocks-{blocked}-windows{"-anew" if again else ""}',
                 lambda n, w, rng, blocked=blocked, again=again: Block(n, w, w * blocked, again))
for late in (20, 200, 2000):
    counting(f'race-{late}-ms', lambda n, w, rng, late=late: Racing(n, w, late))
for after in (0.3, 0.9, 1.5):
    counting(f'unlimited-after-{after}-windows', lambda n, w, rng, after=after: Changing(
        n, w, lambda age, asked: n if age < after * w else 10 ** 6))
counting('limit-halves-after-a-window', lambda n, w, rng: Changing(n, w, lambda age, _: n if age < w else n // 2))
counting('limit-doubles-after-a-window', lambda n, w, rng: Changing(n, w, lambda age, _: n if age < w else 2 * n))
counting('unlimited-at-first', lambda n, w, rng: Changing(n, w, lambda age, asked: 10 ** 6 if asked < 2 * n else n))

# Wrong limits and lengths, in one scope or in all.
for scope in (*SCOPES, 'all'):
    for by, called in ((lambda n: n + 1, 'one-more'), (lambda n: n - 1, 'one-fewer'), (lambda n: round(n * 0.9), 'tenth-fewer'),
                       (lambda n: 2 * n, 'doubled'), (lambda n: n // 2, 'halved'), (lambda n: 10 ** 6, 'none')):
        def limited(service, world, rng, scope=scope, by=by):
            plain(service)
            service.make = lambda s, at, req: Sliding(by(s.limits[at]) if scope in (at, 'all') else s.limits[at], s.window_ms)
        add(f'limit-{called}-{scope}', COUNT + REPORTED + SHOULD, limited)
for by in (-30_000, -10_000, -1000, -200, 1500, 3000, 10_000, 30_000, 60_000):
    for scope in ('all', 'media'):
        def long(service, world, rng, by=by, scope=scope):
            plain(service)
            service.make = lambda s, at, req: Sliding(s.limits[at], s.window_ms + (by if scope in (at, 'all') else 0))
        add(f'length-{by:+d}-ms-{scope}', COUNT + REPORTED + SHOULD, long)

SUBPATHS, PER_KEY, PER_SCOPE = ['limits.messages-subpaths'], ['limits.per-key'], ['limits.per-scope']
bucket('per-node', lambda r: (r.key, r.scope, r.node), [])
bucket('per-path', lambda r: (r.key, r.scope, r.path), SUBPATHS)
bucket('per-method', lambda r: (r.key, r.scope, r.method), SUBPATHS)
bucket('per-connection-of-five', lambda r: (r.key, r.scope, r.index % 5), [])
bucket('keys-share', lambda r: r.scope, PER_KEY)
bucket('scopes-share', lambda r: r.key, PER_SCOPE)
bucket('everybody-shares', lambda r: 0, PER_KEY + PER_SCOPE)
bucket('uploads-share-with-standard', lambda r: (r.key, 'messages' if r.scope == 'messages' else 'rest'), PER_SCOPE)
bucket('new-window-each-request', lambda r: r.index, [])


def changed(name, breaks, **parts):
    def change(service, world, rng):
        for part, value in parts.items():
            setattr(service, part, value)
    add(name, breaks, change)


def forgets(at, what):
    def change(service, world, rng):
        plain(service)
        moment = at * world.window_ms

        def restart(when):
            for name, counter in service.counters.items():
                if what == 'all' or what in name:
                    counter.forget()
        world.at(moment, restart)
        world.at(moment + world.window_ms, restart)
    return change


for at in (0.1, 0.5, 0.9):
    add(f'forgets-at-{at}', COUNT + REPORTED, forgets(at, 'all'))
add('forgets-key-A', COUNT + REPORTED, forgets(0.3, 'A'))


def cap_despite_average(kind):
    def change(service, world, rng):
        plain(service)
        world.deployment['perSecond'], service.cap = 'average', kind
    return change


for kind in ('rolling', 'calendar', 'bucket', 'gap'):
    add(f'cap-{kind}-where-average', COUNT + REPORTED, cap_despite_average(kind))


# Headers: on which answers, which one, and what is written instead.
def header(name, which, value, breaks, on=('served', 'limited')):
    def change_headers(service, headers, req, now, kind, counter):
        if kind not in on:
            return headers
        made = value(service, headers[which], req, now, counter)
        return {**headers, which: made}
    changed(name, breaks, change_headers=change_headers)


for which in ('limit', 'remaining', 'reset'):
    for on in (('served',), ('limited',), ('served', 'limited')):
        where = '-and-'.join(on)
        header(f'no-{which}-on-{where}', which, lambda *_: None, ['headers.present'], on)
    wrong = [f'headers.{which}'] 
    for called, text in (('word', 'many'), ('empty', ''), ('negative', '-1'), ('twice', '7, 7'), ('exponent', '1e2')):
        header(f'{which}-{called}', which, lambda *_, text=text: text, wrong)
header('limit-with-policy', 'limit', lambda s, v, *_: f'{v};w=60', ['headers.limit'])
header('limit-fraction', 'limit', lambda s, v, *_: f'{v}.0', ['headers.limit'])
header('limit-one-more', 'limit', lambda s, v, *_: str(int(v) + 1), ['headers.limit'])
header('limit-of-standard', 'limit', lambda s, v, *_: '120', ['headers.limit'])
header('limit-per-second', 'limit', lambda s, v, *_: str(max(1, int(v) // 60)), ['headers.limit'])
REMAINING = ['headers.remaining', 'headers.remaining-on-429', 'limits.standard', 'limits.messages', 'limits.media']
header('remaining-before', 'remaining', lambda s, v, *_: str(int(v) + 1), REMAINING, ('served',))
header('remaining-ten-more', 'remaining', lambda s, v, *_: str(int(v) + 10), REMAINING, ('served',))
header('remaining-one-fewer', 'remaining', lambda s, v, *_: str(max(0, int(v) - 1)), REMAINING, ('served',))
header('remaining-always-limit', 'remaining', lambda s, v, r, *_: str(s.limits[r.scope]), REMAINING)
header('remaining-always-zero', 'remaining', lambda *_: '0', REMAINING)
header('remaining-one-on-429', 'remaining', lambda *_: '1', REMAINING, ('limited',))
header('remaining-limit-on-429', 'remaining', lambda s, v, r, *_: str(s.limits[r.scope]), REMAINING, ('limited',))
header('remaining-used', 'remaining', lambda s, v, r, *_: str(s.limits[r.scope] - int(v)), REMAINING)
header('reset-delta', 'reset', lambda *_: '60', ['headers.reset'])
header('reset-milliseconds', 'reset', lambda s, v, r, now, c: str(math.floor(now + 60_000)), ['headers.reset'])
header('reset-a-day-ahead', 'reset', lambda s, v, r, now, c: str(math.floor(now / 1000) + 86_400), ['headers.reset'])
header('reset-past', 'reset', lambda s, v, r, now, c: str(math.floor(now / 1000) - 3600), ['headers.reset'])
header('reset-date', 'reset', lambda *_: '2026-01-01T00:00:00Z', ['headers.reset'])
header('reset-zero', 'reset', lambda *_: '0', ['headers.reset'])


# Bodies of a 429.
def body(name, breaks, edit):
    def change_429(service, answer, made, req, now):
        made = edit(made)
        answer.body = made if isinstance(made, str) else json.dumps(made)
    changed(name, breaks, change_429=change_429, message='slow down')


def error(made, **fields):
    return {**made, 'error': {k: v for k, v in {**made['error'], **fields}.items() if v != 'DROP'}}


SHAPE, CODE, MESSAGE, AFTER = ['error.shape'], ['error.code'], ['error.message'], ['error.retry-after']
for called, text in (('empty', ''), ('html', '<html>slow</html>'), ('text', 'Too Many Requests'), ('nan', '{"a": NaN}'),
                     ('cut', '{"success": false'), ('single-quotes', "{'success': False}"), ('number', '429'),
                     ('list', '[]'), ('null', 'null'), ('string', '"slow"')):
    body(f'body-{called}', SHAPE, lambda made, text=text: text)
body('success-absent', SHAPE, lambda m: {'error': m['error']})
for called, value in (('true', True), ('text', 'false'), ('null', None), ('zero', 0)):
    body(f'success-{called}', SHAPE, lambda m, value=value: {**m, 'success': value})
body('error-absent', SHAPE, lambda m: {'success': False})
body('error-text', SHAPE, lambda m: {**m, 'error': 'rate_limit_exceeded'})
body('error-list', SHAPE + CODE + MESSAGE + AFTER, lambda m: {**m, 'error': [m['error']]})
body('error-null', SHAPE + CODE + MESSAGE + AFTER, lambda m: {**m, 'error': None})
body('error-flat', SHAPE, lambda m: {'success': False, **m['error']})
for called, value in (('absent', 'DROP'), ('other', 'too_many_requests'), ('upper', 'RATE_LIMIT_EXCEEDED'), ('number', 429), ('null', None)):
    body(f'code-{called}', CODE, lambda m, value=value: error(m, code=value))
for called, value in (('absent', 'DROP'), ('number', 5), ('null', None), ('object', {'en': 'slow'})):
    body(f'message-{called}', MESSAGE, lambda m, value=value: error(m, message=value))
body('message-blank', ['error.message-text'], lambda m: error(m, message=' \t\n'))
for called, value in (('absent', 'DROP'), ('text', '60'), ('null', None), ('fraction', 1.5), ('zero', 0), ('negative', -3),
                      ('milliseconds', 60_000), ('121', 121), ('a-day', 86_400), ('true', True)):
    body(f'retry-after-{called}', AFTER, lambda m, value=value: error(m, retry_after_seconds=value))
body('retry-after-dot-zero', AFTER, lambda m: json.dumps(error(m, retry_after_seconds=61.0)))
body('retry-after-one-always', ['error.retry-after-suffices'], lambda m: error(m, retry_after_seconds=1))
body('retry-after-half', ['error.retry-after-suffices'],
     lambda m: error(m, retry_after_seconds=max(1, m['error']['retry_after_seconds'] // 2)))
body('retry-after-two-windows', ['error.retry-after-length'], lambda m: error(m, retry_after_seconds=120))


def labelled(kind):
    return lambda service, answer, made, req, now: setattr(answer, 'content_type', kind)


for called, kind in (('none', None), ('html', 'text/html'), ('text-json', 'text/json'), ('jsonp', 'application/jsonp')):
    changed(f'content-type-{called}', ['error.content-type'], change_429=labelled(kind))


def status_instead(status):
    def change_429(service, answer, made, req, now):
        answer.status = status
    return change_429


for status in (400, 403, 420, 200):
    changed(f'refuses-by-{status}', ['error.status'] if status != 200 else COUNT + ['headers.remaining'],
            change_429=status_instead(status))


# Other errors, and requests without a valid key.
def other(name, edit):
    def change(service, world, rng):
        service.message = 'no'
        service.change_other = lambda s, answer, req: setattr(answer, 'body', edit(json.loads(answer.body)))
        service.other_errors_needed = True
    add(name, ['error.other-shape'], change)


other('other-empty', lambda m: '')
other('other-html', lambda m: '<html>')
other('other-no-success', lambda m: json.dumps({'error': m['error']}))
other('other-success-true', lambda m: json.dumps({**m, 'success': True}))
other('other-error-text', lambda m: json.dumps({**m, 'error': 'not found'}))
other('other-no-code', lambda m: json.dumps({'success': False, 'error': {'message': 'no'}}))
other('other-no-message', lambda m: json.dumps({'success': False, 'error': {'code': 'no'}}))
changed('no-headers-on-other', ['headers.present'],
        change_other=lambda s, answer, req: setattr(answer, 'headers', {}), other_errors_needed=True)


def lets_in(which, status):
    def change(service, world, rng):
        service.change_no_key = lambda s, answer, req: setattr(
            answer, 'status', status if req.credential in which else answer.status)
        service.keyless_needed = True
    return change


for which in ('absent', 'malformed', 'unknown'):
    add(f'lets-in-{which}', ['auth.bearer'], lets_in((which,), 200))
add('lets-in-anybody', ['auth.bearer'], lets_in(('absent', 'malformed', 'unknown'), 204))
changed('keyless-html', ['error.other-shape'], keyless_needed=True,
        change_no_key=lambda s, answer, req: setattr(answer, 'body', '<h1>Unauthorized</h1>'))
changed('keyless-empty', ['error.other-shape'], keyless_needed=True,
        change_no_key=lambda s, answer, req: setattr(answer, 'body', ''))
