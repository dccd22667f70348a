"""Counters of a service, in milliseconds of the service's own clock.

Each has the same four methods: `ask` decides one request and says whether it is admitted, `take` takes a place
without asking, `left` says how many more would be admitted, `free_at` says when one more would be.
Sliding and Cap are what the page of verdicts, section 5.8, allows; the others break the document."""

import math
from bisect import bisect_left, bisect_right, insort


class Sliding:
    """A rolling window. `part` above 0: a place is held until the end of its part, as whole-second counters do."""

    def __init__(self, limit, length, part=0.0, phase=0.0, counted=False):
        self.limit, self.length, self.part, self.phase, self.counted = limit, length, part, phase, counted
        self.places = []

    def held(self, now):
        if not self.part:
            return len(self.places) - bisect_right(self.places, now - self.length)
        edge = self.phase + math.floor((now - self.length - self.phase) / self.part) * self.part
        return len(self.places) - bisect_left(self.places, edge)

    def leaves(self, place):
        if not self.part:
            return place + self.length
        return self.phase + (math.floor((place - self.phase) / self.part) + 1) * self.part + self.length

    def take(self, now):
        insort(self.places, now)

    def ask(self, now):
        admitted = self.held(now) < self.limit
        if admitted or self.counted:
            self.take(now)
        return admitted

    def left(self, now):
        return max(0, self.limit - self.held(now))

    def free_at(self, now):
        if self.held(now) < self.limit:
            return now
        return self.leaves(self.places[-self.limit])

    def oldest_leaves(self, now):
        held = self.held(now)
        return self.leaves(self.places[-held]) if held else now

    def forget(self):
        self.places = []


class Cap:
    """A cap per second of one of the four kinds that section 3 of the page names."""

    def __init__(self, kind, rate):
        self.kind, self.rate, self.taken = kind, rate, []
        self.tokens, self.since = float(rate), None

    def _tokens(self, now):
        if self.since is None:
            return self.tokens
        return min(float(self.rate), self.tokens + (now - self.since) * self.rate / 1000)

    def left(self, now):
        if self.kind == 'rolling':
            return self.rate - sum(1 for t in self.taken if t > now - 1000)
        if self.kind == 'calendar':
            return self.rate - sum(1 for t in self.taken if math.floor(t / 1000) == math.floor(now / 1000))
        if self.kind == 'bucket':
            return math.floor(self._tokens(now) + 1e-9)
        return 1 if not self.taken or now >= self.taken[-1] + 1000 / self.rate else 0

    def take(self, now):
        if self.kind == 'bucket':
            self.tokens, self.since = self._tokens(now) - 1, now
        self.taken = self.taken[-2 * self.rate:] + [now]

    def free_at(self, now):
        if self.left(now) > 0:
            return now
        if self.kind == 'rolling':
            return self.taken[-self.rate] + 1000
        if self.kind == 'calendar':
            return (math.floor(now / 1000) + 1) * 1000
        if self.kind == 'bucket':
            return now + (1 - self._tokens(now)) * 1000 / self.rate
        return self.taken[-1] + 1000 / self.rate


class Fixed:
    """A counter that goes back to 0 at once: at moments of the wall clock, or a length after its first request."""

    def __init__(self, limit, length, phase=None, counted=False):
        self.limit, self.length, self.phase, self.counted = limit, length, phase, counted
        self.begun, self.count = None, 0

    def _roll(self, now):
        if self.phase is None:
            if self.begun is None or now >= self.begun + self.length:
                self.begun, self.count = now, 0
            return
        begun = math.floor((now - self.phase) / self.length) * self.length + self.phase
        if begun != self.begun:
            self.begun, self.count = begun, 0

    def take(self, now):
        self._roll(now)
        self.count += 1

    def ask(self, now):
        self._roll(now)
        admitted = self.count < self.limit
        if admitted or self.counted:
            self.count += 1
        return admitted

    def left(self, now):
        self._roll(now)
        return max(0, self.limit - self.count)

    def free_at(self, now):
        return now if self.left(now) else self.begun + self.length

    def oldest_leaves(self, now):
        self._roll(now)
        return self.begun + self.length

    def forget(self):
        self.begun, self.count = None, 0


class TwoBucket:
    """The count of this fixed window, and of the one before by the share of it that a rolling window still covers."""

    def __init__(self, limit, length, phase=0.0):
        self.limit, self.length, self.phase = limit, length, phase
        self.counts = {}

    def _used(self, now):
        at = math.floor((now - self.phase) / self.length)
        share = (now - self.phase) / self.length - at
        return self.counts.get(at, 0) + self.counts.get(at - 1, 0) * (1 - share)

    def take(self, now):
        at = math.floor((now - self.phase) / self.length)
        self.counts[at] = self.counts.get(at, 0) + 1

    def ask(self, now):
        admitted = self._used(now) + 1 <= self.limit
        if admitted:
            self.take(now)
        return admitted

    def left(self, now):
        return max(0, math.floor(self.limit - self._used(now)))

    def free_at(self, now):
        at = now
        while self._used(at) + 1 > self.limit:
            at += 250
        return at

    def oldest_leaves(self, now):
        return now + self.length

    def forget(self):
        self.counts = {}


class Tokens:
    """A token bucket of `size` that is refilled evenly; with `size` 1 it is a leaky bucket without a queue."""

    def __init__(self, size, per_ms):
        self.limit, self.per_ms, self.tokens, self.since = size, per_ms, float(size), None

    def _now(self, now):
        if self.since is None:
            return self.tokens
        return min(float(self.limit), self.tokens + (now - self.since) * self.per_ms)

    def take(self, now):
        self.tokens, self.since = max(0.0, self._now(now) - 1), now

    def ask(self, now):
        admitted = self._now(now) + 1e-9 >= 1
        if admitted:
            self.take(now)
        return admitted

    def left(self, now):
        return max(0, math.floor(self._now(now) + 1e-9))

    def free_at(self, now):
        return now + max(0.0, 1 - self._now(now)) / self.per_ms

    def oldest_leaves(self, now):
        return now + (self.limit - self._now(now)) / self.per_ms

    def forget(self):
        self.tokens, self.since = float(self.limit), None


class Block(Sliding):
    """A rolling window that shuts out for `blocked` ms once it was exceeded; `again`: each refusal starts it anew."""

    def __init__(self, limit, length, blocked, again):
        super().__init__(limit, length)
        self.blocked, self.again, self.until = blocked, again, -math.inf

    def ask(self, now):
        if now < self.until:
            if self.again:
                self.until = now + self.blocked
            return False
        admitted = super().ask(now)
        if not admitted:
            self.until = now + self.blocked
        return admitted

    def left(self, now):
        return 0 if now < self.until else super().left(now)

    def free_at(self, now):
        return max(self.until, super().free_at(now))


class Racing(Sliding):
    """Looks, and writes `late` ms later: requests in between do not see each other."""

    def __init__(self, limit, length, late):
        super().__init__(limit, length)
        self.late = late

    def held(self, now):
        return max(0, bisect_right(self.places, now - self.late) - bisect_right(self.places, now - self.length))

    def free_at(self, now):
        return now if self.held(now) < self.limit else self.places[-self.limit] + self.length


class Changing(Sliding):
    """A rolling window whose limit changes by the count of requests or the time: `limit_at(now, asked)`."""

    def __init__(self, limit, length, limit_at):
        super().__init__(limit, length)
        self.limit_at, self.asked, self.first = limit_at, 0, None

    def ask(self, now):
        self.first = now if self.first is None else self.first
        self.asked += 1
        self.limit = max(1, self.limit_at(now - self.first, self.asked))
        return super().ask(now)
