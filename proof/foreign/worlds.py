"""A world: a client, a network and a service in virtual time, and the trace that is written of them."""

import heapq
import math

from clocks import ClientClock, ServiceClock, steps_of
from exchanges import exchange_line
from services import Answer

PATHS = {'standard': '/v1/status', 'messages': '/v1/messages', 'media': '/v1/media'}
BASE_MS = 1_760_000_000_000.0

# How much smaller than the document's the limits and the traffic are. Nothing on the page depends on how large a limit
# is, and a tenth of the requests take a tenth of the time.
LIMITS = {1: {'standard': 120, 'messages': 300, 'media': 30}, 4: {'standard': 30, 'messages': 75, 'media': 8},
          10: {'standard': 12, 'messages': 30, 'media': 5}}


class Request:
    def __init__(self, **fields):
        self.__dict__.update(fields)


def latency_of(rng):
    """A way to draw how long one way takes, in ms."""
    kind = rng.choice(['none', 'constant', 'uniform', 'exponential', 'heavy', 'two'])
    scale = rng.choice([0.3, 2, 2, 10, 10, 40, 200])
    return {'none': lambda: 0.0, 'constant': lambda: scale, 'uniform': lambda: rng.uniform(0, 2 * scale),
            'exponential': lambda: rng.expovariate(1 / scale), 'heavy': lambda: scale * rng.paretovariate(1.3) - scale,
            'two': lambda: scale if rng.random() < 0.95 else scale * 50}[kind]


class World:
    def __init__(self, rng, calm, smaller=1):
        self.rng, self.calm, self.smaller, self.heap, self.lines, self.order = rng, calm, smaller, [], [], 0
        self.now = -math.inf
        # What became of each request, by the true clock: (request, left, answered, outcome).
        self.seen = []
        self.window_ms, self.limits = 60_000, LIMITS[smaller]
        self.base = BASE_MS + math.floor(rng.uniform(0, 1e9))
        self.span = self.window_ms * rng.uniform(1.1, 3)
        self.budget, self.index, self.ids = rng.choice([300, 700, 1200, 2000]) // smaller, 0, 0
        odd = (lambda chance: False) if calm else (lambda chance: rng.random() < chance)
        self.keys = ['A'] if odd(0.15) else ['A', 'B']
        self.nodes = rng.choice([1, 1, 2, 3])
        self.up, self.down = latency_of(rng), latency_of(rng)
        if calm:
            scale = rng.choice([1, 5, 20])
            self.up = self.down = lambda: rng.uniform(0.1, scale)
        self.timeout = rng.choice([1, 10, 10, 30])
        self.deployment = self.draw_deployment(odd)
        self.k6 = odd(0.25)
        self.draw_clocks(odd)
        self.service = None
        self.sent_lines = not odd(0.2)
        self.lost = rng.choice([0.001, 0.01, 0.05]) if odd(0.3) else 0
        self.proxy = rng.choice([0.002, 0.03]) if odd(0.25) else 0
        self.repeats_line = odd(0.1)
        self.dies = odd(0.2)
        self.load = {}
        self.ban = None

    def draw_deployment(self, odd):
        rng = self.rng
        media = '/v1/messages/media' if rng.random() < 0.25 else rng.choice(['/v1/media', '/v1/media/uploads'])
        like = lambda method, path: {'method': method, 'path': path, 'headers': {}}
        self.methods = {'standard': 'GET', 'messages': rng.choice(['GET', 'POST']), 'media': 'POST'}
        self.paths = {**PATHS, 'media': media}
        requests = {scope: like(self.methods[scope], self.paths[scope]) for scope in PATHS}
        requests['otherError'] = like('GET', '/v1/none')
        if rng.random() < 0.8:
            requests['messagesSubpath'] = like('GET', '/v1/messages/m1')
        if odd(0.1):
            requests['media']['headers']['idempotency-KEY'] = 'i'
        made = {'baseUrls': [f'http://127.0.0.1:{1 + n}' for n in range(self.nodes)],
                'keyEnv': ['KEY_' + key for key in self.keys], 'requests': requests}
        if not odd(0.4):
            made['perSecond'] = 'average'
        elif odd(0.5):
            made['perSecond'] = 'cap'
        if rng.random() < 0.5:
            made['mediaBelowMessages'] = rng.choice(['media', 'both'])
        if odd(0.1):
            made['exclusiveKeys'] = False
        if odd(0.2):
            made['clockSkewSecondsMax'] = rng.choice([2, 20])
        made['requestTimeoutSeconds'] = self.timeout
        return made

    def draw_clocks(self, odd):
        rng = self.rng
        skew_ms = self.deployment.get('clockSkewSecondsMax', 5) * 1000 - 200
        slew = rng.uniform(-8e-5, 8e-5) if odd(0.5) else 0.0
        steps = steps_of(rng, self.span, skew_ms / 2) if odd(1) else []
        self.clocks = [ClientClock(rng, self.base, 'm', 0, steps, slew)]
        rate_most = 0.0004
        self.wall_times = odd(0.8)
        if odd(0.2):
            second = ClientClock(rng, self.base, 'n', rng.uniform(-1, 1) * 40, steps_of(rng, self.span, 200), -slew)
            second.offset_most = rng.choice([40, 100, 1000])
            self.clocks.append(second)
        if odd(0.2):
            # k6 and others read a wall clock alone; clock lines tie it to the monotonic one.
            wall = ClientClock(rng, self.base, 'w', 0, steps, slew)
            wall.apart, wall.kind, wall.tied_by, rate_most = self.clocks[0].apart, 'wall', 'm', 0.0003
            if rng.random() < 0.3 and len(self.clocks) == 1:
                self.clocks = [wall]
                self.tie = ClientClock(rng, self.base, 'm', 0, steps, slew)
                self.tie.apart = wall.apart
            else:
                # It is off the first clock by all that its steps and slew amount to.
                wall.offset_most = 50 + sum(abs(by) for _, by in steps) + abs(slew) * self.span
                self.clocks.append(wall)
        self.service_clock = ServiceClock(rng, self.base, skew_ms / 2 - 300, rate_most)

    # ---- events

    def at(self, when, action):
        if when < self.now:
            raise ValueError(f'{when} is past: the service would decide out of order')
        self.order += 1
        heapq.heappush(self.heap, (when, self.order, action))

    def run(self):
        tied = any(clock.tied_by for clock in self.clocks) or (not self.calm and self.rng.random() < 0.5)
        if tied:
            every = self.rng.choice([500, 1000, 5000]) * min(self.smaller, 4)
            when = -1.0
            while when < self.span + 120_000:
                self.at(when, self.clock_line)
                when += every
            # A run looks at both sides of a step; one that is taken back in between would show nowhere.
            for moment in {moment for clock in self.looked_at() for moment, _ in clock.steps}:
                self.at(math.nextafter(moment, -math.inf), self.clock_line)
                self.at(moment, self.clock_line)
        while self.heap:
            when, _, action = heapq.heappop(self.heap)
            self.now = when
            action(when)

    def looked_at(self):
        return [self.tie] if hasattr(self, 'tie') else self.clocks

    def clock_line(self, when):
        for clock in self.looked_at():
            if clock.kind == 'monotonic':
                self.lines.append({'kind': 'clock', 'clock': clock.name, 'monotonicMs': clock.monotonic(when),
                                   'wallMs': clock.wall(when)})

    def send(self, when, lane, count=1, spread=0.0, on=None, **what):
        """Sends `count` like requests from `when` on, and calls `on(request, status, moment)` for each answer."""
        count = min(count, self.budget)
        self.budget -= count
        if count > 0:
            self.at(when, lambda now: self._send(now, lane, count, spread, on, what))

    def _send(self, now, lane, count, spread, on, what):
        rng, clock = self.rng, lane.clock
        wanted = Request(key=what.get('key', lane.key), scope=lane.scope, route=what.get('route', 'main'),
                         credential=what.get('credential', 'valid'), driver=lane.driver, scenario=lane.scenario,
                         clock=clock)
        if wanted.credential != 'valid':
            wanted.key = None
        wanted.method = what.get('method') or ('GET' if wanted.route != 'main' else self.methods[lane.scope])
        wanted.path = {'subpath': '/v1/messages/m1', 'other': '/v1/none'}.get(wanted.route, self.paths[lane.scope])
        many = []
        for _ in range(count):
            node = what.get('node', rng.randrange(self.nodes))
            self.ids += 1
            many.append(Request(**wanted.__dict__, node=node, index=self.index, id=f'q{self.ids}', on=on,
                                once=lane.driver == 'k6' and rng.random() < 0.5))
            self.index += 1
        if self.sent_lines and lane.driver != 'k6':
            self.lines.append({'kind': 'sent', **self.common(wanted), **self.sent_times(wanted, now),
                               'requests': [{'index': r.index, 'requestId': r.id, 'node': r.node} for r in many]})
        for r in many:
            self.at(now + (rng.random() * spread if spread else 0.0), lambda when, r=r: self.leave(r, when))

    def common(self, r):
        return {'driver': r.driver, 'clock': r.clock.name, 'scope': r.scope, 'route': r.route, 'key': r.key,
                'credential': r.credential, 'purpose': 'traffic', 'method': r.method, 'path': r.path}

    def read(self, clock, when):
        return clock.wall(when) if clock.kind == 'wall' else clock.monotonic(when)

    def sent_times(self, r, when):
        wall = r.clock.wall(when) if self.wall_times and r.clock.kind == 'monotonic' else None
        return {'sentMs': self.read(r.clock, when), 'wallSentMs': wall}

    def leave(self, r, when):
        """The request leaves the client. What becomes of it on its way is drawn here."""
        rng = self.rng
        r.left, r.answer = when, None
        decided = when + self.up()
        if rng.random() < self.lost:
            # Lost on the way there, or counted and lost on the way back; then even long after.
            if rng.random() < 0.5:
                self.at(decided + rng.choice([0, 0, 5000]), lambda t: self.service.decide(r, t))
            self.at(when + self.timeout * 1000, lambda t: self.write(r, t, None))
            return
        if self.repeatable(r) and rng.random() < 0.02:
            self.at(when + rng.random() * (decided - when), lambda t: self.service.decide(r, t))
        if rng.random() < self.proxy:
            if rng.random() < 0.5:
                self.at(decided, lambda t: self.service.decide(r, t))
            self.at(decided + self.down(), lambda t: self.write(r, t, self.proxy_answer()))
            return
        if decided - when > self.timeout * 1000:
            # The client gives up first; the service counts the request all the same.
            self.at(when + self.timeout * 1000, lambda t: self.write(r, t, None))
            self.at(decided, lambda t: self.service.decide(r, t))
            return
        self.at(decided, lambda t: self.decide(r, t))

    def repeatable(self, r):
        """Go may send such a request twice: the trace holds one exchange all the same."""
        return r.driver == 'k6' and not r.once and r.method in ('GET', 'HEAD')

    def decide(self, r, t):
        answer = self.ban(r, t) if self.ban else None
        answer = answer or self.service.decide(r, t)
        back = t + self.down()
        if back - r.left > self.timeout * 1000:
            self.at(r.left + self.timeout * 1000, lambda when: self.write(r, when, None))
        else:
            self.at(back, lambda when: self.write(r, when, answer))

    def proxy_answer(self):
        status = self.rng.choice([500, 502, 503, 504, 408, 413, 431, 499])
        body = self.rng.choice(['', '<html><body>Bad gateway</body></html>', '{"error":"upstream"}', 'upstream timed out'])
        return Answer(status, body=body, content_type='text/html')

    # ---- the trace

    def write(self, r, when, answer):
        line = exchange_line(self, r, when, answer)
        self.lines.append(line)
        self.seen.append((r, r.left, when if answer else math.inf, line['outcome']))
        if self.repeats_line and self.rng.random() < 0.02:
            self.lines.append(line)
        if r.on:
            r.on(r, line['status'], when, answer)
