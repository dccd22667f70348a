#!/usr/bin/env python3
"""A second generator of traces, written from docs/verdicts.md alone: neither it nor its author has seen the judge.

    python3 proof/foreign/generate.py --first-seed N --runs M [--only conforming|violators|NAME] [--sizes mixed] --out FOLDER

Each seed gives FOLDER/<seed>.ndjson, a trace, and one line of FOLDER/index.ndjson:
{"seed", "kind": "conforming" or "violator", "name", "breaks": [clauses]}.
A conforming service keeps to section 5.8 of the page in whatever odd world it is asked. Clauses in its `breaks` are of
level should: its variant falls short of them. A violator breaks one part, and its trace shows that (shown.py); `breaks` names every clause that the page may
report that one deviation under. With --sizes mixed most worlds have smaller limits
and fewer requests, so that far more of them can be played. The same seed, --only and --sizes give the same bytes. Only Python's standard library is used."""

import argparse
import json
import pathlib
import random
import sys

# No caches are left in the checkout.
sys.dont_write_bytecode = True

from clients import PLANS, Ban, fill_and_watch, invalid, populate, saturate
from exchanges import trace_lines, trace_text
from services import Service
from shown import answers_are_shown, count_is_shown
from violators import VIOLATORS
from worlds import World


# How much smaller one world is than another, where sizes are mixed.
MIXED = [1] + [4] * 3 + [10] * 36


def size_of(rng, mixed):
    return rng.choice(MIXED) if mixed else 1


def service_of(world):
    return Service(world.rng, world.limits, world.window_ms, world.deployment, world.service_clock)


def ban_is_seen(world):
    """Whether the trace shows the ban as section 5.7 tells one; what shows too little of it would not conform."""
    seen = [line for line in world.lines if line['kind'] == 'exchange']
    bare = [line for line in seen if line['outcome'] == 'refused' and not any(line['headers'].values())
            and not line['status'] >= 500 and line['status'] not in (408, 413, 431, 499)]
    valid = [line for line in bare if line['credential'] == 'valid']
    plain = [line for line in valid if line['route'] != 'other']
    if not bare or all(line['credential'] != 'valid' for line in bare) and world.ban.begun is None:
        return True
    if len({line['requestId'] for line in plain}) < 8:
        return False
    start = min(line['receivedMs'] for line in plain)
    served = [line for line in seen if line['credential'] == 'valid' and line['route'] != 'other'
              and line['outcome'] in ('admitted', 'limited') and line['sentMs'] <= start]
    keyless = [line for line in seen if line['credential'] != 'valid' and line['sentMs'] < start]
    return bool(served) and bool(keyless) and all(line['receivedMs'] >= max(s['sentMs'] for s in served) for line in valid)


def conforming(seed, mixed, with_ban=True):
    rng = random.Random(f'conforming {seed}')
    world = World(rng, calm=rng.random() < 0.15, smaller=size_of(rng, mixed))
    world.service = service_of(world)
    if rng.random() < 0.15 and with_ban and len(world.clocks) == 1 and world.clocks[0].kind == 'monotonic':
        world.ban, world.dies, world.k6 = Ban(rng, rng.uniform(500, world.span)), False, False
    lanes = populate(world)
    if world.ban:
        for _ in range(4):
            invalid(lanes[0], world.ban.since + rng.uniform(0, 2000))
    world.run()
    if world.ban and not ban_is_seen(world):
        return conforming(seed, mixed, with_ban=False)
    breaks = []
    if world.service.part:
        breaks.append('window.granularity')
    if world.service.longest_wait > world.window_ms / 1000 + 2:
        breaks.append('error.retry-after-length')
    return world, {'kind': 'conforming', 'name': 'conforming', 'breaks': breaks}


# The first of so many worlds whose trace shows what is broken; most traffic never meets it.
DRAWS = 40


def violator(seed, name, mixed):
    """A trace of a violator in which some answers are none of a conforming service's."""
    for draw in range(DRAWS):
        world, line = drawn_violator(f'violator {seed} {name} {draw}', name, mixed)
        lines, tail = trace_lines(world)
        if (count_is_shown if 'window.rolling' in line['breaks'] else answers_are_shown)(world, lines):
            break
    return trace_text(lines, tail), line


def drawn_violator(rng_seed, name, mixed):
    rng = random.Random(rng_seed)
    world = World(rng, calm=rng.random() < 0.6, smaller=size_of(rng, mixed))
    world.deployment['exclusiveKeys'] = True
    world.span, world.budget = world.window_ms * rng.uniform(2.2, 3.2), 2000 // world.smaller
    if rng.random() < 0.7:
        world.deployment['perSecond'] = 'average'
    world.service = service_of(world)
    breaks, change = VIOLATORS[name]
    change(world.service, world, rng)
    lanes = populate(world, PLANS + [fill_and_watch] * 8 + [saturate] * 2)
    for _ in range(5 if hasattr(world.service, 'keyless_needed') else 0):
        invalid(lanes[0], rng.uniform(0, world.span))
    world.budget += 5
    for _ in range(5 if hasattr(world.service, 'other_errors_needed') else 0):
        lanes[0].send(rng.uniform(0, world.span), route='other')
    world.run()
    return world, {'kind': 'violator', 'name': name, 'breaks': breaks}


def main():
    parser = argparse.ArgumentParser(description='traces of services and clients in virtual time')
    parser.add_argument('--first-seed', type=int, default=1)
    parser.add_argument('--runs', type=int, default=10)
    parser.add_argument('--step', type=int, default=1, help='from one seed to the next')
    parser.add_argument('--only', help='conforming, violators, or the name of one violator')
    parser.add_argument('--sizes', choices=['full', 'mixed'], default='full', help='of limits and traffic')
    parser.add_argument('--out', type=pathlib.Path, required=True)
    given = parser.parse_args()
    names, mixed = sorted(VIOLATORS), given.sizes == 'mixed'
    if given.only not in (None, 'conforming', 'violators', *names):
        parser.error(f'--only {given.only}: no such violator; there are {", ".join(names)}')
    given.out.mkdir(parents=True, exist_ok=True)
    with open(given.out / 'index.ndjson', 'w', encoding='utf-8') as index:
        for seed in range(given.first_seed, given.first_seed + given.runs * given.step, given.step):
            only = given.only or ('conforming' if seed % 2 else 'violators')
            if only == 'conforming':
                world, line = conforming(seed, mixed)
                text = trace_text(*trace_lines(world))
            else:
                text, line = violator(seed, names[seed % len(names)] if only == 'violators' else only, mixed)
            (given.out / f'{seed}.ndjson').write_text(text, encoding='utf-8')
            index.write(json.dumps({'seed': seed, **line}) + '\n')


if __name__ == '__main__':
    main()
