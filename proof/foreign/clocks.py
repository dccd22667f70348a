"""Clocks of clients and services. True time is the first monotonic clock of the clients, in ms since its start."""

import math

RHO = 0.0004


class ServiceClock:
    """Constant offset and rate, and perhaps whole milliseconds. `rate_most` bounds the difference to the client's."""

    def __init__(self, rng, base, offset_most_ms, rate_most=RHO):
        share = rng.choice([0, 0, 0.1, 0.999, -0.999, rng.uniform(-1, 1)])
        # A window lasts W·(1 + share·rate_most) by the client's clock.
        self.rate = 1 / (1 + share * rate_most)
        self.offset = rng.choice([0, rng.uniform(-1, 1)]) * offset_most_ms
        self.base, self.truncates = base, rng.random() < 0.5

    def __call__(self, at):
        now = self.base + self.offset + at * self.rate
        return float(math.floor(now)) if self.truncates else now


class ClientClock:
    """One machine of the clients: a monotonic clock that is off the first one, and a wall clock that may step."""

    def __init__(self, rng, base, name, off_ms, steps, slew):
        self.base, self.name, self.off = base, name, off_ms
        self.apart, self.slew, self.steps = rng.choice([0, rng.uniform(-40, 40)]), slew, steps
        self.offset_most, self.kind, self.tied_by = 0, 'monotonic', None

    def monotonic(self, at):
        return self.base + self.off + at

    def wall(self, at):
        stepped = sum(by for moment, by in self.steps if at >= moment)
        return self.monotonic(at) + self.apart + self.slew * at + stepped

    def header(self):
        line = {'id': self.name, 'kind': self.kind, 'offsetMsMax': self.offset_most}
        if self.tied_by:
            line['tiedBy'] = self.tied_by
        return line


def steps_of(rng, span_ms, most_ms):
    """Steps of a wall clock whose sum stays within `most_ms`, both ways, at any time."""
    if rng.random() < 0.7:
        return []
    moments = sorted(rng.uniform(0, span_ms) for _ in range(rng.choice([1, 1, 2, 3])))
    steps, sum_ms = [], 0.0
    for moment in moments:
        to = rng.choice([rng.uniform(-most_ms, most_ms), rng.uniform(-30, 30), 0.0])
        steps.append((moment, to - sum_ms))
        sum_ms = to
    return steps
