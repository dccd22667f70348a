import type { Exchange } from '../contract/exchange.ts';
import { leastOf } from '../contract/extremes.ts';
import { howMany, seconds } from '../contract/quantities.ts';
import { distinct } from './answers.ts';
import type { Case } from './case.ts';
import { heldBackTexts } from './held-back.ts';
import { isAnotherLayers } from './other-layer.ts';
import { isServed } from './refused-keys.ts';

/**
 * What kept the API, or its limits, from being seen, in a sentence each: keys that it does not take, another layer that answers in
 * its place, and requests that it holds back instead of refusing them. Clauses that stay open say so.
 */
export function whyOpen({
  trace: { exchanges },
  untaken,
  analyses,
}: Pick<Case, 'trace' | 'untaken' | 'analyses'>): readonly string[] {
  const byKey = Map.groupBy(untaken, ({ key }) => key ?? '');
  const served = new Set<string | null>();
  let beganMs = Number.POSITIVE_INFINITY;
  for (const exchange of exchanges) {
    if (isServed(exchange)) served.add(exchange.key);
    beganMs = Math.min(beganMs, exchange.sentMs);
  }
  const refused = [...byKey].map(([key, refusals]): Refusal => {
    const isRedirect = refusals.every(({ status }) => status !== null && status < 400);
    const fromMs = leastOf(refusals.map(({ sentMs }) => sentMs));
    const since = served.has(key) ? ` since +${seconds(fromMs - beganMs, 1)}` : '';
    return { key, how: `${isRedirect ? 'redirected' : 'refused'}${since}`, refusals };
  });
  const texts = [...refusalTexts(refused), ...otherLayerTexts(exchanges)];
  return [...texts, ...heldBackTexts(analyses.map(({ group }) => group))];
}

type Refusal = { readonly key: string; readonly how: string; readonly refusals: readonly Exchange[] };

const keysMax = 4;

/** One sentence for the keys that are refused alike. */
function refusalTexts(refused: readonly Refusal[]): readonly string[] {
  const alike = Map.groupBy(refused, ({ how }) => how);
  return [...alike].map(([how, all]) => {
    const names = all.map(({ key }) => key);
    const more = names.length - keysMax;
    const shown = `${names.slice(0, keysMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const refusals = all.flatMap((one) => one.refusals);
    const statuses = distinct(refusals.map(({ status }) => `${status}`));
    return `key${all.length === 1 ? '' : 's'} ${shown} ${all.length === 1 ? 'is' : 'are'} ${how} (${statuses} to ${howMany(refusals.length, 'request')})`;
  });
}

/** What is certainly not the API's: a 5xx may be its own. */
function otherLayerTexts(exchanges: readonly Exchange[]): readonly string[] {
  const others = exchanges.filter(
    (exchange) =>
      exchange.credential === 'valid' &&
      exchange.outcome !== 'limited' &&
      (exchange.status ?? 0) < 500 &&
      isAnotherLayers(exchange),
  );
  if (others.length === 0) return [];
  const names = distinct(others.flatMap((exchange) => serverOf(exchange) ?? []));
  const statuses = distinct(others.map(({ status }) => `${status}`));
  return [
    `another layer answers${names === '' ? '' : ` (server: ${names})`}: ${statuses} to ${howMany(others.length, 'request')}`,
  ];
}

/** What an answer says of the program that gave it: in its header, else at the foot of its page. */
export function serverOf({ server, body }: Exchange): string | null {
  const text = server ?? /<center>([^<]{1,60})<\/center>\s*<\/body>/i.exec(body ?? '')?.[1] ?? '';
  return /^[\w.-]+(\/[\w.-]+)?/.exec(text.trim())?.[0].slice(0, 40) ?? null;
}
