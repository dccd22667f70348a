"""The lines of a trace: one exchange, the header, and how a run ends or dies."""

import json
from datetime import datetime, timezone


def text_time(ms):
    return datetime.fromtimestamp(ms / 1000, timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.') + f'{int(ms) % 1000:03d}Z'


def exchange_line(world, r, when, answer):
    times = world.sent_times(r, r.left)
    got = answer is not None
    status = answer.status if got else None
    outcome = ('indeterminate' if not got else 'admitted' if 200 <= status < 300
               else 'limited' if status == 429 else 'refused')
    head = answer.headers if got else {}
    line = {'kind': 'exchange', 'index': r.index, **world.common(r), 'node': r.node, 'requestId': r.id, **times,
            'receivedMs': world.read(r.clock, when) if got else None,
            'wallReceivedMs': r.clock.wall(when) if got and times['wallSentMs'] is not None else None,
            'status': status, 'headers': {name: head.get(name) for name in ('limit', 'remaining', 'reset')},
            'retryAfter': answer.retry_after if got else None, 'date': answer.date if got else None,
            'contentType': answer.content_type if got else None, 'body': None,
            'failure': None if got else world.rng.choice(['timed out', 'ECONNRESET', 'socket hang up']),
            'outcome': outcome}
    if world.rng.random() < 0.5:
        line['latencyMs'] = when - r.left if got else None
    if r.scenario:
        line['scenario'] = r.scenario
    if r.driver == 'k6' and r.once:
        line['sentOnce'] = True
    if got and outcome != 'admitted':
        add_body(world, r, line, answer.body or '')
    elif world.rng.random() < 0.5:
        line['bodyState'] = 'whole'
    return line


def add_body(world, r, line, body):
    """As much of the body as the client came to read, with the state of section 5.1 that says so."""
    rng = world.rng
    if r.method == 'HEAD':
        line['body'] = rng.choice([None, ''])
        line['bodyState'] = 'whole'
        return
    state = 'whole' if world.calm else rng.choice(['whole'] * 5 + ['partial', 'until-close', 'beyond-bound', 'left-out'])
    cut = body[:rng.randint(0, max(0, len(body) - 1))]
    if state == 'left-out':
        line['body'] = body[:2048]
        return
    if state == 'partial':
        body = cut
    if state == 'until-close' and rng.random() < 0.5:
        body = cut
    if state == 'beyond-bound':
        # The client read no more than its bound.
        body = body[:rng.choice([2048, 4096, 65_536])]
    line['body'], line['bodyState'] = body, state


def header_line(world, mode='full'):
    return {'kind': 'trace', 'schemaVersion': 1, 'tool': {'name': 'foreign', 'version': '1'}, 'runId': 'foreign',
            'startedAt': text_time(world.base), 'mode': mode, 'windowMs': world.window_ms, 'limits': world.limits,
            'deployment': world.deployment, 'keys': world.keys,
            'clocks': [clock.header() for clock in world.clocks],
            'plan': {'requestsMax': 2000, 'peakRequestsPerSecond': 100, 'seconds': world.span / 1000}}


def trace_lines(world):
    """The lines of the trace, and what stands after the last of them without a line break."""
    lines = begun_lines(world) + [line for line in world.lines]
    if world.dies:
        kept = lines[:world.rng.randint(0, len(lines))]
        tail = ''
        if world.rng.random() < 0.5 and len(kept) < len(lines):
            whole = json.dumps(lines[len(kept)])
            tail = whole[:world.rng.randint(1, len(whole))]
        return [header_line(world)] + kept, tail
    lines = lost_by_k6(world, lines)
    last = max([line.get('receivedMs') or line.get('sentMs') or 0 for line in lines] + [world.base])
    end = {'kind': 'end', 'endedAt': text_time(last), 'complete': True, 'reason': None}
    return [header_line(world)] + lines + [end], ''


def trace_text(lines, tail):
    """The whole file, or what is left of it where the run died."""
    return ''.join(json.dumps(line) + '\n' for line in lines) + tail


def begun_lines(world):
    return [{'kind': 'begun', 'scenario': name, 'atMs': world.base} for name in world.load]


def lost_by_k6(world, lines):
    """The last lines of scenarios; sometimes k6 was stopped and some of its exchanges are not known."""
    for name, lane in world.load.items():
        mine = [line for line in lines if line.get('scenario') == name and line['kind'] == 'exchange']
        unique = len({line['requestId'] for line in mine})
        state, reason, sent = 'complete', None, unique
        if not world.calm and world.rng.random() < 0.3:
            state, reason = 'incomplete', 'k6 was stopped'
            dropped = {line['requestId'] for line in mine if world.rng.random() < 0.2}
            lines = [line for line in lines if line.get('requestId') not in dropped]
            sent = world.rng.choice([None, unique]) if dropped else unique
        lines.append({'kind': 'load', 'scenario': name, 'state': state, 'reason': reason, 'key': lane.key,
                      'scope': lane.scope, 'requestsSent': sent})
    return lines
