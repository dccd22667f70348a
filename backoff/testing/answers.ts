import type { Answer } from '../strategy.ts';

const nothing: Answer = {
  kind: 'ready',
  nowMs: 0,
  client: 0,
  attempts: 0,
  retryAfterSeconds: 0,
  retryAfterHeaderSeconds: 0,
  remaining: -1,
  resetSeconds: 0,
};

export type Told = Partial<Omit<Answer, 'kind' | 'nowMs'>>;

export function ready(nowMs: number, client = 0): Answer {
  return { ...nothing, nowMs, client };
}

export function admitted(nowMs: number, told: Told = {}): Answer {
  return { ...nothing, kind: 'admitted', attempts: 1, ...told, nowMs };
}

/** A 429 that says in its body and in its header how long to wait. */
export function limited(nowMs: number, seconds: number, told: Told = {}): Answer {
  const retryAfter = { retryAfterSeconds: seconds, retryAfterHeaderSeconds: seconds };
  return { ...nothing, kind: 'limited', attempts: 1, remaining: 0, ...retryAfter, ...told, nowMs };
}

export function lost(nowMs: number, told: Told = {}): Answer {
  return { ...nothing, kind: 'lost', attempts: 1, ...told, nowMs };
}
