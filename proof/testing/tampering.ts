/** A certificate or a part of one, as JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * A copy of a certificate in which one thing is different, wherever it stands: a number, an id, a name, an answer, or
 * a list that has lost, gained or exchanged members. No such copy is a proof.
 */
export function tampered(certificate: Json, random: () => number): Json {
  const whole = JSON.stringify(certificate);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const copy = structuredClone(certificate);
    if (tamperInside(copy, random) && JSON.stringify(copy) !== whole) return copy;
  }
  throw new Error('nothing in this certificate can be changed');
}

/** Goes down to one value, each branch as likely as the others, and changes it. */
function tamperInside(value: Json, random: () => number): boolean {
  if (Array.isArray(value)) {
    if (random() < 0.3) return tamperList(value, random);
    const at = Math.floor(random() * value.length);
    return change(value[at], random, (other) => value.splice(at, 1, other));
  }
  if (value === null || typeof value !== 'object') return false;
  const name = pick(Object.keys(value), random);
  if (name === undefined) return false;
  if (random() < 0.1) return delete value[name];
  return change(value[name], random, (other) => {
    value[name] = other;
  });
}

function change(inner: Json | undefined, random: () => number, put: (other: Json) => unknown): boolean {
  if (inner === undefined) return false;
  if (typeof inner === 'object' && inner !== null && tamperInside(inner, random)) return true;
  put(otherThan(inner, random));
  return true;
}

/** Another value of the same kind in most cases, and of another kind in some. */
function otherThan(value: Json, random: () => number): Json {
  if (typeof value === 'number') {
    const others = [value + 1, value - 1, value + 0.001, 2 * value + 1, -value - 1, null, `${value}`];
    return pick(others, random) ?? null;
  }
  if (typeof value === 'string') {
    const others = [`${value}1`, swaps[value] ?? `1${value}`, value.slice(1), null, 0];
    return pick(others, random) ?? null;
  }
  if (typeof value === 'boolean') return !value;
  return value === null ? (pick<Json>([0, 'x', [], true], random) ?? 0) : null;
}

/** Words of a certificate that would be as good in another. */
const swaps: Readonly<Record<string, string>> = {
  counted: 'not-counted',
  'not-counted': 'counted',
  'no-cap': 'clear',
  clear: 'no-cap',
  'over-admission': 'refused-with-room',
  'refused-with-room': 'refused-together',
  'refused-together': 'over-admission',
  'early-return': 'late-return',
  'late-return': 'early-return',
  'too-short': 'too-long',
  'too-long': 'too-short',
  'too-high': 'too-low',
  'too-low': 'too-high',
  'above-count': 'below-count',
  'below-count': 'above-leaving',
  'above-leaving': 'above-count',
  length: 'together',
  together: 'length',
  'held-before': 'full-before',
  'full-before': 'held-before',
  'held-paths': 'held-nodes',
  'held-nodes': 'held-paths',
  'one-window-for-keys': 'one-window-for-scopes',
  'one-window-for-scopes': 'one-window-for-keys',
  must: 'should',
  should: 'must',
  admitted: 'limited',
  limited: 'admitted',
  '<': '<=',
  '<=': '<',
  'limits.standard': 'limits.messages',
  'limits.messages': 'limits.media',
  'limits.media': 'window.rolling',
  'window.rolling': 'window.length',
  'window.length': 'window.rolling',
  'error.shape': 'error.other-shape',
  'error.other-shape': 'error.shape',
  standard: 'messages',
  messages: 'media',
  media: 'standard',
  A: 'B',
  B: 'A',
};

function tamperList(list: Json[], random: () => number): boolean {
  const [one, other] = [Math.floor(random() * list.length), Math.floor(random() * list.length)];
  const first = list[one];
  const second = list[other];
  if (first === undefined || second === undefined) return false;
  const ways: readonly (() => boolean)[] = [
    () => list.splice(one, 1).length > 0,
    () => list.splice(other, 0, structuredClone(first)).length === 0,
    () => {
      if (JSON.stringify(first) === JSON.stringify(second)) return false;
      list[one] = second;
      list[other] = first;
      return true;
    },
  ];
  return pick(ways, random)?.() ?? false;
}

function pick<T>(values: readonly T[], random: () => number): T | undefined {
  return values[Math.floor(random() * values.length)];
}
