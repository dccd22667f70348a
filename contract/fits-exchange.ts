import { z } from 'zod';
import { type Exchange, exchangeSchema } from './exchange.ts';

type Fits = (value: unknown) => boolean;

/**
 * Whether a value is an exchange: by the schema's own table, without the copy and the list of issues that parsing makes.
 * A long trace asks it of each line, and parses those alone that are none.
 */
export function fitsExchange(value: unknown): value is Exchange {
  return fitsObject(value);
}

const fitsObject = fitsOf(exchangeSchema);

function fitsOf(schema: z.core.$ZodType): Fits {
  if (schema instanceof z.ZodObject) return objectFits(schema);
  if (schema instanceof z.ZodOptional) {
    const inner = fitsOf(schema.unwrap());
    return (value) => value === undefined || inner(value);
  }
  if (schema instanceof z.ZodNullable) {
    const inner = fitsOf(schema.unwrap());
    return (value) => value === null || inner(value);
  }
  if (schema instanceof z.ZodEnum) return isOneOf(schema.options);
  if (schema instanceof z.ZodLiteral) return isOneOf([...schema.values]);
  if (schema instanceof z.ZodNumber) return numberFits(schema);
  if (schema instanceof z.ZodString && (schema.def.checks ?? []).length === 0)
    return (value) => typeof value === 'string';
  throw new Error(`no check for a schema of type ${schema._zod.def.type}`);
}

function objectFits(schema: z.ZodObject): Fits {
  const fields = Object.entries(schema.shape).map(([name, field]) => ({ name, fits: fitsOf(field) }));
  return (value) => {
    // What is no object has none of the fields that there have to be.
    const own = Object(value) as Readonly<Record<string, unknown>>;
    for (const { name, fits } of fields) if (!fits(own[name])) return false;
    return true;
  };
}

function isOneOf(values: readonly unknown[]): Fits {
  return (value) => values.includes(value);
}

function numberFits(schema: z.ZodNumber): Fits {
  const least = schema.minValue ?? Number.NEGATIVE_INFINITY;
  const most = schema.maxValue ?? Number.POSITIVE_INFINITY;
  const isRight = schema.isInt ? Number.isSafeInteger : Number.isFinite;
  return (value) => typeof value === 'number' && isRight(value) && value >= least && value <= most;
}

/** A copy with the fields in the order of the schema, and without those that are absent. */
export function inOrder(one: Exchange): Exchange {
  const { scenario, cost, sentOnce, latencyMs, server, bodyState } = one;
  return {
    kind: 'exchange',
    index: one.index,
    driver: one.driver,
    ...(scenario !== undefined && { scenario }),
    clock: one.clock,
    scope: one.scope,
    route: one.route,
    key: one.key,
    credential: one.credential,
    node: one.node,
    purpose: one.purpose,
    requestId: one.requestId,
    method: one.method,
    path: one.path,
    ...(cost !== undefined && { cost }),
    ...(sentOnce !== undefined && { sentOnce }),
    sentMs: one.sentMs,
    receivedMs: one.receivedMs,
    ...(latencyMs !== undefined && { latencyMs }),
    wallSentMs: one.wallSentMs,
    wallReceivedMs: one.wallReceivedMs,
    status: one.status,
    headers: { limit: one.headers.limit, remaining: one.headers.remaining, reset: one.headers.reset },
    retryAfter: one.retryAfter,
    date: one.date,
    contentType: one.contentType,
    ...(server !== undefined && { server }),
    body: one.body,
    ...(bodyState !== undefined && { bodyState }),
    failure: one.failure,
    outcome: one.outcome,
  };
}
