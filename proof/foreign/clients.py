"""Clients: any traffic, none of it made for a judge. A lane is one client of one key and scope."""

import json

from services import Answer
from worlds import Request

SCENARIOS = ['messages-burst', 'media-burst', 'rolling-window', 'over-pressure', 'sustained', 'noisy-neighbour',
             'mixed-scopes', 'many-keys', 'nodes']


class Lane:
    def __init__(self, world, key, scope):
        rng = world.rng
        self.world, self.key, self.scope, self.limit = world, key, scope, world.limits[scope]
        self.clock = rng.choice(world.clocks)
        self.driver, self.scenario = rng.choice(['undici', 'simulation']), None
        if world.k6 and rng.random() < 0.5:
            self.driver = 'k6'
            self.scenario = rng.choice(SCENARIOS)
            world.load.setdefault(self.scenario, self)

    def some(self):
        """Which request: mostly the one that stands for the scope, at times another route or method."""
        rng, what = self.world.rng, {}
        draw = rng.random()
        if self.scope == 'messages' and draw < self.world.subpaths:
            what['route'] = 'subpath'
        elif draw > 1 - self.world.others:
            what['route'] = 'other'
        elif draw > 1 - self.world.others - self.world.odd_methods:
            what.update(route='other-method', method=rng.choice(['HEAD', 'HEAD', 'PUT']))
        return what

    def send(self, when, count=1, spread=0.0, on=None, **what):
        self.world.send(when, self, count, spread, on, **what)


def bursts(lane, when):
    """Sharp bursts, some of them one window after another, or astride a minute of the wall clock."""
    rng, window = lane.world.rng, lane.world.window_ms
    while when < lane.world.span and lane.world.budget > 0:
        count = rng.choice([lane.limit // 4, lane.limit // 2, lane.limit, lane.limit + 7, lane.limit * 3 // 2])
        lane.send(when, count, rng.choice([0, 20, 1000]), **lane.some())
        when += max(1, rng.choice([window * 0.5, window - 200, window + 100, window + 1200, window * 1.3,
                            rng.uniform(0, window), window - (lane.world.base + when) % window + rng.uniform(-1500, 500)]))


def random_traffic(lane, when):
    rng = lane.world.rng
    mean = lane.world.window_ms / lane.limit * rng.choice([0.3, 0.7, 1, 1.1, 2, 8])
    while when < lane.world.span and lane.world.budget > 0:
        lane.send(when, **lane.some())
        when += rng.expovariate(1 / mean)


def steady(lane, when):
    rng = lane.world.rng
    gap = lane.world.window_ms / lane.limit * rng.choice([0.5, 0.95, 1, 1.02, 3])
    while when < lane.world.span and lane.world.budget > 0:
        lane.send(when, **lane.some())
        when += gap


def ladder(lane, when):
    """Faster and faster."""
    gap = lane.world.window_ms / lane.limit * 2
    while when < lane.world.span and lane.world.budget > 0:
        lane.send(when, **lane.some())
        when += gap
        gap = max(gap * 0.99, 20)


def saturate(lane, when):
    """Several connections that each send as soon as answered; after a 429 they rest for a while, then go on."""
    rng, world = lane.world.rng, lane.world
    rest = rng.choice(['told', 'told', 'window', 'second', 'random', 'edge'])
    state = {'quiet_until': when}

    def answered(request, status, moment, answer):
        if moment > world.span:
            return
        if status != 429:
            again = max(moment, state['quiet_until']) + rng.choice([0, 0, 3, 50])
        else:
            state['quiet_until'] = max(state['quiet_until'], moment + wait_of(answer))
            again = state['quiet_until'] + rng.choice([0, 1, rng.uniform(0, 3000)])
        lane.send(max(again, moment), on=answered, **lane.some())

    def wait_of(answer):
        if rest == 'told':
            try:
                told = json.loads(answer.body)['error']['retry_after_seconds']
                return 1000 * min(max(told, 0.5), 200)
            except (ValueError, KeyError, TypeError, IndexError):
                return 5000
        return {'window': world.window_ms + rng.uniform(-100, 1500), 'second': 1000, 'random': rng.uniform(0, 20_000),
                'edge': world.window_ms - rng.uniform(0, 3000)}[rest]

    for _ in range(rng.choice([1, 3, 10, 40])):
        lane.send(when + rng.uniform(0, 30), on=answered, **lane.some())


def fill_and_watch(lane, when):
    """Fill the window, go quiet, then look in single steps at when places come back."""
    rng, window = lane.world.rng, lane.world.window_ms
    spread = rng.choice([0, 200, 5000, 20_000, 40_000])
    per = max(1, lane.limit // rng.choice([1, 2, 10]))
    sent = 0
    while sent < lane.limit + 3:
        count = min(per, lane.limit + 3 - sent)
        lane.send(when + spread * sent / lane.limit, count, 10.0, **lane.some())
        sent += count
    at = when + spread + rng.choice([300, 2000, window / 2])
    step = rng.choice([40, 250, 1000])
    for _ in range(rng.choice([0, 3, 8])):
        lane.send(at, **lane.some())
        at += rng.uniform(500, 4000)
    at = when + window + rng.choice([-20, -1000, -5000, 200])
    for _ in range(rng.choice([5, 20, 60])):
        lane.send(at, **lane.some())
        at += step
    lane.send(when + spread + window + rng.choice([1300, 4000, 30_000]), lane.limit + 5, rng.choice([0, 300]))
    lane.send(when + spread + 2.1 * window + 3000, lane.limit + 5, 100.0)


PLANS = [bursts, random_traffic, steady, ladder, saturate, saturate, fill_and_watch, fill_and_watch]


def invalid(lane, when):
    """Requests without a valid key."""
    rng = lane.world.rng
    # The lanes may have planned all of the budget already; these few come on top of it.
    lane.world.budget += 10
    for _ in range(rng.choice([1, 3, 10])):
        lane.send(when, credential=rng.choice(['absent', 'malformed', 'unknown']))
        when += rng.choice([5, 1000, rng.uniform(0, 30_000)])


class Ban:
    """Shuts the address out once, after some requests without a valid key."""

    def __init__(self, rng, since):
        self.left, self.since, self.until = rng.choice([1, 3]), since, None
        self.length, self.status = rng.choice([3000, 30_000, 1e9]), rng.choice([403, 403, 401, 418])
        self.body = rng.choice(['<html>Forbidden</html>', '', '{"message":"denied"}', 'error code: 1020'])
        self.begun = None

    def __call__(self, request, at):
        if self.begun is not None:
            if at < self.begun + self.length:
                return Answer(self.status, body=self.body, content_type='text/html')
            return None
        if request.credential != 'valid' and at > self.since:
            self.left -= 1
            if self.left <= 0:
                self.begun = at + 1e-6
        return None


def others_of(world):
    """Places from before the run, and, where the keys are shared, those who use them during it."""
    rng, hidden = world.rng, []
    for key in world.keys:
        for scope, limit in world.limits.items():
            before = rng.choice([0, 0, 0, limit // 3, limit, 2 * limit]) if not world.calm else 0
            start = -rng.choice([100, 5000, 55_000, 61_500])
            hidden += [(key, scope, rng.uniform(start, 0)) for _ in range(before)]
            if world.deployment.get('exclusiveKeys') is False:
                hidden += [(key, scope, rng.uniform(0, world.span)) for _ in range(limit)]
    for key, scope, when in hidden:
        mate = Request(key=key, scope=scope, route='main', credential='valid', node=0, method=world.methods[scope],
                       path=world.paths[scope], id='mate', index=-1, scenario=None, driver='mate')
        world.at(when, lambda t, mate=mate: world.service.decide(mate, t))


def populate(world, plans=None):
    """Draws who sends what, when."""
    rng = world.rng
    world.subpaths = rng.choice([0, 0.3, 0.5]) if 'messagesSubpath' in world.deployment['requests'] else 0
    world.others, world.odd_methods = rng.choice([0, 0, 0.02, 0.2]), rng.choice([0, 0, 0.05, 0.3])
    others_of(world)
    pairs = [(key, scope) for key in world.keys for scope in world.limits]
    rng.shuffle(pairs)
    lanes = []
    for key, scope in pairs[:rng.choice([1, 2, 3, 4, 6])]:
        for _ in range(rng.choice([1, 1, 1, 2])):
            lane = Lane(world, key, scope)
            lanes.append(lane)
            rng.choice(plans or PLANS)(lane, rng.choice([0, rng.uniform(0, 5000), rng.uniform(0, world.window_ms)]))
    if world.deployment.get('probeWithoutKey', True) and rng.random() < 0.5:
        invalid(rng.choice(lanes), rng.uniform(0, world.span))
    return lanes
