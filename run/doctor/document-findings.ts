import type { Deployment } from '../../contract/deployment.ts';
import { isAnyPromisedOn, isPromisedOn, promisedHeaders } from '../../contract/document/headers.ts';
import { toldHeaders } from '../../contract/document/told-headers.ts';
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
import type { Asked } from './key-findings.ts';
import type { SeenByNode } from './look-around.ts';

/** Whether answers look as the document says, and how far the clocks are apart. */
export function documentFindings(asked: Asked, { exchanges }: SeenByNode): readonly Finding[] {
  const told = toldHeaders(asked.deployment.document);
  const answered = exchanges
    .filter(({ status }) => status !== null)
    .map((exchange) => ({ ...exchange, headers: told(exchange.headers, asked.limits[exchange.scope]) }));
  if (answered.length === 0) return [];
  return [
    ...headerFindings(asked, answered),
    ...errorFindings(asked.deployment, answered),
    clockFinding(asked.deployment, answered),
  ];
}

const fields = Object.keys(rateLimitHeaderNames) as readonly RateLimitHeader[];

function headerFindings({ limits, deployment }: Asked, answered: readonly Exchange[]): readonly Finding[] {
  const about = 'headers';
  const promise = promisedHeaders(deployment.document);
  const { names } = promise;
  const promised = fields.filter((name) => names[name] !== null);
  const keyed = answered.filter(
    ({ outcome, credential }) =>
      credential === 'valid' && outcome !== 'refused' && isAnyPromisedOn(outcome, promise),
  );
  if (keyed.length === 0 || promised.length === 0) return [];
  const lacking = promised.filter((name) =>
    keyed.some(({ headers, outcome }) => headers[name] === null && isPromisedOn(name, outcome, promise)),
  );
  if (lacking.length > 0) {
    const which = lacking.map((name) => names[name]).join(', ');
    return [
      finding('note', about, `missing on some answers: ${which}. A run will find headers.present violated.`),
    ];
  }
  const isLimit = (scope: Scope, told: number | null): boolean =>
    toldLimits({ limits, deployment }, scope).includes(told ?? undefined);
  const other =
    names.limit === null ? undefined : keyed.find((one) => !isLimit(one.scope, headerInteger(one, 'limit')));
  if (other !== undefined) {
    const text = plainText(other.headers.limit ?? '', 40);
    return [
      finding(
        'note',
        about,
        `${names.limit} is ${text} at ${other.scope}, documented is ${limits[other.scope]}. A run will find ` +
          'headers.limit violated.',
      ),
    ];
  }
  const seen = [...new Set(keyed.map(({ scope }) => `${limits[scope]} at ${scope}`))].join(', ');
  const carried =
    promised.length === fields.length ? 'all three' : promised.map((name) => names[name]).join(', ');
  return [
    finding(
      'good',
      about,
      names.limit === null ? carried : `${carried}, with the documented limits (${seen})`,
    ),
  ];
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
          `${promisedHeaders(document).names.reset ?? 'a reset'} is judged wrong. Set the clocks by NTP, or the setting higher.`,
      )
    : finding('good', about, text);
}

function signed(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${Math.abs(ms / 1_000).toFixed(2)}`;
}
