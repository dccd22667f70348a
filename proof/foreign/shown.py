"""Whether a trace shows a count that section 5.8 of docs/verdicts.md does not allow: sections 4.1 and 4.2 of that page on the
times of a true clock. It knows nothing of clocks that are off or step, of blame or of the judges, so it may see a little
more: missed.json says what."""

from bisect import bisect_left, bisect_right

from clocks import RHO

Q, G = 1.0, 1000.0
CAPPED = {'standard', 'messages'}


class Entry:
    """One request in the closed interval in which it was counted, by the true clock."""

    def __init__(self, low, high, outcome):
        self.low, self.high, self.outcome = low, high, outcome


def answers_are_shown(_world, lines):
    """Whether the trace has enough answers of both kinds, and whole, to show what each of them says wrong."""
    keyed = [line for line in lines
             if line['kind'] == 'exchange' and line['credential'] == 'valid' and line['scope'] != 'standard']
    served = sum(line['outcome'] == 'admitted' for line in keyed)
    refused = sum(line['outcome'] == 'limited' and line['method'] != 'HEAD' and line.get('bodyState') == 'whole' for line in keyed)
    return served >= 5 and refused >= 5


def count_is_shown(world, lines):
    """Whether some group of the lines that are written refutes both readings of rejections."""
    kept = {line['requestId'] for line in lines if line['kind'] == 'exchange'}
    unknown = lines[-1]['kind'] != 'end' or any(line.get('state') == 'incomplete' for line in lines)
    groups, keyless = {}, {}
    for r, left, answered, outcome in world.seen:
        if r.id not in kept:
            continue
        group = (groups.setdefault((r.key, r.scope), []) if r.credential == 'valid' else keyless.setdefault(r.scope, []))
        group.append(Entry(left, answered, outcome if r.credential == 'valid' else 'refused'))
        if world.repeatable(r):
            group.append(Entry(left, answered, 'indeterminate'))
    return any(deviates(world, scope, group, keyless.get(scope, []), unknown) for (_, scope), group in groups.items())


def deviates(world, scope, group, keyless, unknown):
    window, limit = world.window_ms, world.limits[scope]
    shortest = window * (1 - RHO) - Q
    if over_admitted(group, limit, shortest):
        return True
    if world.deployment.get('exclusiveKeys') is False or unknown:
        return False
    if scope == 'media' and 'v1/messages' in world.paths['media'] and world.deployment.get('mediaBelowMessages') != 'media':
        return False
    may_be_capped = scope in CAPPED and world.deployment.get('perSecond') != 'average'
    reach = (window + G) * (1 + RHO) + Q
    settled = min(e.low for e in group) + window * (1 + RHO) + Q + G
    late = [e for e in group if e.outcome == 'limited' and e.low >= settled]
    if may_be_capped:
        late = [r for r in late if not any(e is not r and e.low <= r.high and e.high >= r.low - 2001.8 for e in group + keyless)]
    others = [e for e in group if e.outcome != 'limited'] + keyless
    if not has_room(others, late, reach, limit):
        return False
    return admitted_while_full(group, limit, shortest) or has_room(group + keyless, late, reach, limit + 1)


def over_admitted(group, limit, shortest):
    admitted = sorted((e for e in group if e.outcome == 'admitted'), key=lambda e: e.low)
    # The first low and the last are looked at before the highs of all in between: mostly they are too far apart.
    return any(admitted[at + limit].low - admitted[at].low < shortest
               and max(e.high for e in admitted[at:at + limit + 1]) - admitted[at].low < shortest
               for at in range(len(admitted) - limit))


def has_room(may_count, refusals, reach, limit):
    lows, highs = sorted(e.low for e in may_count), sorted(e.high for e in may_count)
    return any(bisect_right(lows, r.high) - bisect_left(highs, r.low - reach) < limit for r in refusals)


def admitted_while_full(group, limit, shortest):
    sure = sorted((e for e in group if e.outcome in ('admitted', 'limited')), key=lambda e: e.low)
    lows = [e.low for e in sure]
    for x in sure:
        if x.outcome == 'admitted':
            near = sure[bisect_right(lows, x.high - shortest):bisect_right(lows, x.low)]
            if sum(e.high < x.low for e in near) >= limit:
                return True
    return False
