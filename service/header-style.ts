import { type Document, limitedStatusesOf } from '../contract/document/document.ts';
import { promisedHeaders } from '../contract/document/headers.ts';
import { type RateLimitHeader, rateLimitHeaderNames } from '../contract/rate-limit-headers.ts';
import type { ResetUnit } from '../contract/reset-units.ts';
import type { Behaviour, Counted, HeaderField } from './behaviour.ts';
import { windowSeconds } from './window-seconds.ts';

/**
 * A behaviour, with its faults, whose headers are told as a document names and writes them. Faults are about the usual
 * three; what they change is told in the document's way too.
 */
export function inHeadersOf(
  document: Pick<Document, 'headers' | 'refusal'>,
  behaviour: Behaviour,
): Behaviour {
  if (document.headers === 'x-ratelimit' || document.headers === 'none') return behaviour;
  const { names, unit, on } = promisedHeaders(document);
  const limited = limitedStatusesOf(document);
  return {
    ...behaviour,
    rateLimitHeaders: (counted, status) => {
      if (on !== 'all' && (on === 'admitted' ? status >= 300 : !limited.includes(status))) return [];
      const told = behaviour.rateLimitHeaders(counted, status);
      if (document.headers === 'ietf') return inFields(told, counted);
      return told.flatMap(([usual, text]): readonly HeaderField[] => {
        const header = headerOf(usual);
        if (header === undefined) return [[usual, text]];
        const name = names[header];
        if (name === null) return [];
        return [[name, header === 'reset' ? resetText(text, counted, unit) : text]];
      });
    },
  };
}

/** The usual three as RateLimit-Policy and RateLimit; other headers as they are. */
function inFields(told: readonly HeaderField[], counted: Counted): readonly HeaderField[] {
  const usual = new Map(told);
  const { limit, remaining, reset } = rateLimitHeaderNames;
  const [q, r, t] = [usual.get(limit), usual.get(remaining), usual.get(reset)];
  const others = told.filter(([name]) => headerOf(name) === undefined);
  return [
    ...others,
    ...(q === undefined
      ? []
      : [
          [
            'RateLimit-Policy',
            `"${counted.scope}";q=${q};w=${Math.ceil(windowSeconds(counted.rate))}`,
          ] as const,
        ]),
    ...(r === undefined
      ? []
      : [
          [
            'RateLimit',
            `"${counted.scope}";r=${r}${t === undefined ? '' : `;t=${resetText(t, counted, 'seconds')}`}`,
          ] as const,
        ]),
  ];
}

const entries = Object.entries(rateLimitHeaderNames) as readonly (readonly [RateLimitHeader, string])[];

function headerOf(name: string): RateLimitHeader | undefined {
  return entries.find(([, usual]) => usual === name)?.[0];
}

/** A reset in Unix seconds, as text, in another unit; what is no number stays as it is. */
function resetText(text: string, { decision, nowMs }: Counted, unit: ResetUnit): string {
  const seconds = Number(text);
  if (!Number.isFinite(seconds)) return text;
  // What has been rounded once already would be rounded twice.
  const resetMs = seconds === Math.ceil(decision.resetMs / 1_000) ? decision.resetMs : seconds * 1_000;
  switch (unit) {
    case 'epoch-seconds':
      return text;
    case 'epoch-ms':
      return String(Math.ceil(resetMs));
    case 'seconds':
      return String(Math.ceil((resetMs - nowMs) / 1_000));
    case 'date':
      return dateText(Math.ceil(resetMs / 1_000) * 1_000, text);
    default:
      return unit satisfies never;
  }
}

/** A moment as RFC 3339 has it; the text itself where the moment is beyond all dates. */
function dateText(ms: number, text: string): string {
  return Math.abs(ms) > 8.64e15 ? text : new Date(ms).toISOString();
}
