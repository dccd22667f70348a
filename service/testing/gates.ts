import type { MessagingScope } from '../../contract/scopes.ts';
import type { Answer } from '../answers.ts';
import { documentedBehaviour } from '../documented-behaviour.ts';
import type { Deviation } from '../faults/fault.ts';
import { withFaults } from '../faults.ts';
import { createGate, type Gate } from '../gate.ts';

/** A whole minute of the wall clock. */
export const minuteMs = 28_333_333 * 60_000;

export const windowMs = 60_000;

export const smallLimits: Readonly<Record<MessagingScope, number>> = { standard: 3, messages: 4, media: 2 };

const aliases: ReadonlyMap<string, string> = new Map([
  ['secret-a', 'A'],
  ['secret-b', 'B'],
]);

export function gateWith(...faults: readonly Deviation[]): Gate {
  const behaviour = withFaults(documentedBehaviour, faults);
  const aliasOf = (secret: string) => aliases.get(secret) ?? null;
  return createGate({ behaviour, aliasOf, limits: smallLimits, windowMs });
}

export type SentRequest = {
  readonly path?: string;
  readonly authorization?: string | null;
  readonly nowMs?: number;
};

/** The whole answer to one request, where an admitting route answers with no data. */
export function answerTo(
  gate: Gate,
  { path = '/v1/status', authorization, nowMs = minuteMs }: SentRequest = {},
): Answer {
  const credentials = authorization === undefined ? 'Bearer secret-a' : authorization;
  const ruling = gate.rule({
    method: 'GET',
    path,
    authorization: credentials,
    connection: 1,
    node: 0,
    nowMs,
  });
  const context = { counted: ruling.counted, nowMs };
  return ruling.kind === 'refuse'
    ? gate.failure(ruling.error, context)
    : gate.success({ status: 200, data: null }, context);
}

export function headerOf({ headers }: Answer, name: string): string | null {
  const values = headers.filter(([field]) => field === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** The three rate-limit headers, in the order Limit, Remaining, Reset. */
export function rateHeadersOf(answer: Answer): readonly (string | null)[] {
  return ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) =>
    headerOf(answer, name),
  );
}
