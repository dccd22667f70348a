import { seconds } from '../../contract/quantities.ts';
import type { QuotedExchange } from '../../contract/verdict.ts';
import type { ClauseResult } from '../clause-result.ts';
import { plainText } from '../plain-text.ts';
import type { Layout } from '../terminal/layout.ts';
import { violationHead } from '../terminal/violations.ts';

/** Deliveries that are quoted; the trace holds all. */
const quotedMax = 2;

/** One violated clause on webhooks: the requirement, what was expected and observed, and what arrived. */
export function deliveryLines(result: ClauseResult, layout: Layout): readonly string[] {
  const { verdict } = result;
  if (verdict.kind !== 'violated') return [];
  const { exchanges, exchangesTotal } = verdict.evidence;
  const many = exchangesTotal === 1 ? '1 delivery shows' : `${exchangesTotal} deliveries show`;
  const total = `${many} it${exchangesTotal > quotedMax ? ', the first of them' : ''}:`;
  return [
    ...violationHead(result, null, layout),
    `  ${total}`,
    ...exchanges.slice(0, quotedMax).flatMap((exchange) => quoted(exchange, layout)),
  ];
}

function quoted(exchange: QuotedExchange, layout: Layout): readonly string[] {
  const { requestId, method, path, status, sentMs, receivedMs, body } = exchange;
  const after = receivedMs === null ? '' : ` after ${seconds(receivedMs - sentMs)}`;
  const answer = status === null ? 'not answered' : `answered ${status}${after}`;
  return [
    `    ${plainText(`${requestId}: ${method} ${path}, ${answer}`, layout.columns - 4)}`,
    ...(body === null || body === '' ? [] : pieces(plainText(body, 400), layout.columns - 6)).map((line) =>
      layout.paint('detail', `      ${line}`),
    ),
  ];
}

/** A text without spaces to break at, cut into lines. */
function pieces(text: string, width: number): readonly string[] {
  const count = Math.ceil(text.length / width);
  return Array.from({ length: count }, (_, at) => text.slice(at * width, (at + 1) * width));
}
