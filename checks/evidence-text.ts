import type { Clause } from '../contract/clause.ts';
import type { Evidence, QuotedExchange } from '../contract/verdict.ts';

/** What proves a violation, as the message of a test that fails: promised, seen, and the exchanges that show it. */
export function evidenceText(
  { requirement }: Pick<Clause, 'requirement'>,
  { expected, observed, exchanges, exchangesTotal }: Evidence,
): string {
  return [
    requirement,
    `expected: ${expected}`,
    `observed: ${observed}`,
    `exchanges (${exchanges.length} of ${exchangesTotal}, ms since the first):`,
    ...exchanges.map(exchangeText),
  ].join('\n');
}

function exchangeText(exchange: QuotedExchange): string {
  const { sentMs, receivedMs, method, path, status, limit, remaining, reset, requestId, body } = exchange;
  const interval = `${sentMs.toFixed(1)}…${receivedMs?.toFixed(1) ?? '∞'}`;
  const told = Object.entries({ limit, remaining, reset }).flatMap(([name, value]) =>
    value === null ? [] : [` ${name} ${value}`],
  );
  const answer = `${status ?? 'no answer'}${told.join('')}`;
  const text = body === null ? '' : ` ${JSON.stringify(body)}`;
  return `  ${interval.padStart(18)}  ${method} ${path} → ${answer} [${requestId}]${text}`;
}
