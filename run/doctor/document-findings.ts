import type { Deployment } from '../../contract/deployment.ts';
import type { Document } from '../../contract/document/document.ts';
import { isAnyPromisedOn } from '../../contract/document/headers.ts';
import {
  type HeadersOf,
  haveOwnHeaders,
  headersByScope,
  missingOn,
  wordedHeaders,
} from '../../contract/document/scope-headers.ts';
import { toldExchanges } from '../../contract/document/told-headers.ts';
import { bodyOf, errorBodySchema } from '../../contract/error-body.ts';
import type { Exchange } from '../../contract/exchange.ts';
import {
  headerInteger,
  type RateLimitHeader,
  rateLimitHeaderNames,
} from '../../contract/rate-limit-headers.ts';
import type { Scope } from '../../contract/scopes.ts';
import { dateOffset, toldLimits } from '../../judge/headers.ts';
import { plainText } from '../../reports/plain-text.ts';
import { type Finding, finding } from './finding.ts';
import type { ExaminedDeployment } from './key-findings.ts';
import type { SeenByNode } from './look-around.ts';

/** Whether answers look as the document says, and how far the clocks are apart. */
export function documentFindings(asked: ExaminedDeployment, { exchanges }: SeenByNode): readonly Finding[] {
  const answered = exchanges
    .filter(({ status }) => status !== null)
    .map(toldExchanges(asked.deployment.document, asked.limits));
  if (answered.length === 0) return [];
  return [
    ...headerFindings(asked, answered),
    ...errorFindings(asked.deployment, answered),
    clockFinding(asked.deployment, answered),
  ];
}

const fields = Object.keys(rateLimitHeaderNames) as readonly RateLimitHeader[];

function headerFindings(
  { limits, deployment }: ExaminedDeployment,
  answered: readonly Exchange[],
): readonly Finding[] {
  const about = 'headers';
  const { document } = deployment;
  const headersOf = headersByScope(document);
  const served = answered.filter(
    ({ credential, outcome }) => credential === 'valid' && outcome !== 'refused',
  );
  const keyed = served.filter((one) => isAnyPromisedOn(one.outcome, headersOf(one)));
  if (keyed.length === 0) return unpromised(served, headersOf);
  const lacking = new Set(keyed.flatMap((one) => missingOn(one, headersOf)));
  if (lacking.size > 0) {
    const which = [...lacking].join(', ');
    return [
      finding('note', about, `missing on some answers: ${which}. A run will find headers.present violated.`),
    ];
  }
  const isLimit = (scope: Scope, told: number | null): boolean =>
    toldLimits({ limits, deployment }, scope).includes(told ?? undefined);
  const telling = keyed.filter((one) => headersOf(one).names.limit !== null);
  const other = telling.find((one) => !isLimit(one.scope, headerInteger(one, 'limit')));
  if (other !== undefined) {
    const text = plainText(other.headers.limit ?? '', 40);
    return [
      finding(
        'note',
        about,
        `${headersOf(other).names.limit} is ${text} at ${other.scope}, documented is ${limits[other.scope]}. A run will find ` +
          'headers.limit violated.',
      ),
    ];
  }
  const seen = [...new Set(telling.map(({ scope }) => `${limits[scope]} at ${scope}`))].join(', ');
  const carried = carriedText(document);
  return [
    finding(
      'good',
      about,
      telling.length === 0 ? carried : `${carried}, with the documented limits (${seen})`,
    ),
  ];
}

function carriedText(document: Document): string {
  if (haveOwnHeaders(document)) return 'those of each scope';
  const { names } = wordedHeaders(document);
  const promised = fields.flatMap((name) => names[name] ?? []);
  return promised.length === fields.length ? 'all three' : promised.join(', ');
}

/** Headers of the usual names that nothing is promised of: no clause is judged by them. */
function unpromised(served: readonly Exchange[], headersOf: HeadersOf): readonly Finding[] {
  const bare = served.filter((one) => fields.every((name) => headersOf(one).names[name] === null));
  const there = fields.filter((name) => bare.some(({ headers }) => headers[name] !== null));
  if (there.length === 0) return [];
  const which = there.map((name) => rateLimitHeaderNames[name]).join(', ');
  const text = `answers carry ${which}, of which the document promises nothing (headers: none): "document init" shows how to promise them`;
  return [finding('note', 'headers', text)];
}

/** What answers to other errors, and to requests without a key, show of what a document says of them. */
function errorFindings({ document }: Deployment, answered: readonly Exchange[]): readonly Finding[] {
  const about = 'error bodies';
  const wanted = answered.filter(({ purpose }) => purpose === 'other-error' || purpose === 'without-key');
  const errors = wanted.filter(({ outcome }) => outcome === 'refused');
  const notAnError = wanted
    .filter(
      ({ outcome, purpose }) =>
        outcome === 'admitted' && (purpose === 'other-error' || document.keys !== 'none'),
    )
    .map((one) => {
      const { purpose, method, path, status } = one;
      return purpose === 'other-error'
        ? finding(
            'bad',
            'otherError',
            `${method} ${path} answered ${status}, and has to get an error: set requests.otherError.`,
          )
        : finding(
            'note',
            'no key',
            `${method} ${path} answered ${status} without a key. A run will find auth.bearer violated.`,
          );
    });
  if (document.errors === 'none') return notAnError;
  const flawed = errors.filter((one) => {
    const body = bodyOf(one);
    return (
      body.kind === 'not-json' || (body.kind === 'json' && !errorBodySchema.safeParse(body.value).success)
    );
  });
  const [first] = flawed;
  if (first !== undefined) {
    const body = bodyOf(first);
    const why =
      body.kind === 'not-json'
        ? body.why
        : 'it is other JSON than { success: false, error: { code, message } }';
    return [
      ...notAnError,
      finding(
        'note',
        about,
        `${first.method} ${first.path} answered ${first.status}: ${why}. A run will find error.other-shape violated.`,
      ),
    ];
  }
  if (errors.length === 0) return notAnError;
  const statuses = [...new Set(errors.map(({ status }) => status))].join(' and ');
  return [...notAnError, finding('good', about, `as documented, with status ${statuses}`)];
}

function clockFinding({ clockSkewSecondsMax, document }: Deployment, answered: readonly Exchange[]): Finding {
  const about = 'clock';
  const offset = dateOffset(answered);
  if (offset === null) return finding('note', about, 'no Date header: the offset to ours is not known');
  const { least, most } = offset;
  if (least > most) {
    return finding(
      'note',
      about,
      'no one offset fits every Date: it is cached on the way, or nodes have clocks of their own',
    );
  }
  const text = `${signed(least)} to ${signed(most)} s from ours, by Date`;
  const isFar = least > clockSkewSecondsMax * 1_000 || most < -clockSkewSecondsMax * 1_000;
  return isFar
    ? finding(
        'bad',
        about,
        `${text}: beyond clockSkewSecondsMax (${clockSkewSecondsMax}), so that ` +
          `${wordedHeaders(document).names.reset ?? 'a reset'} is judged wrong. Set the clocks by NTP, or the setting higher.`,
      )
    : finding('good', about, text);
}

function signed(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${Math.abs(ms / 1_000).toFixed(2)}`;
}
