import type { WaitUnit } from '../../contract/wait-units.ts';
import { type ReadHeaders, usualHeaders } from './headers.ts';
import { type LimitKind, limitKinds, type PacedRequestHead, type ScopeRule, type Scopes } from './scopes.ts';

/** How a process keeps to a service's rate limits; everything but the scopes has a default. */
export type PacedOptions = {
  readonly scopes: Scopes;
  /** Only requests to these origins are paced; left out: all that pass through the dispatcher. */
  readonly origins?: readonly string[];
  /** Length of the rolling window, s. Default: 60, as the document has it. */
  readonly windowSeconds?: number;
  /**
   * Of each limit, the part that is this process's own, from 0 to 1: with four processes on one key, 1/4. Default: 1.
   */
  readonly share?: number;
  /**
   * What tells windows apart, e.g. the API key. It is kept in memory, and in no error. Default: the header
   * Authorization.
   */
  readonly keyOf?: (request: PacedRequestHead, header: (name: string) => string | null) => string;
  /** Requests that wait in one scope of one key; what comes beyond is refused here. Default: 10,000. */
  readonly queueMax?: number;
  /** How often a request is sent at most while it is answered 429. Default: 20. */
  readonly attemptsMax?: number;
  /**
   * A 429 that asks for more, s, is handed to the caller instead of waited for. Default: five windows, of the longest, or five times
   * `refusalWaitSeconds` where that is more.
   */
  readonly waitSecondsMax?: number;
  /** Bytes of a streamed body that are kept for sending it again; a longer one is sent once. Default: 1 MiB. */
  readonly replayBytesMax?: number;
  /**
   * Whether headers of limits are believed: they show what others use of the key. Default: true. A service
   * whose headers are wrong needs false; `conformance run` tells.
   */
  readonly learnFromHeaders?: boolean;
  /** How they are read. Default: X-RateLimit-Limit, -Remaining and -Reset, the latter in seconds since 1970. */
  readonly readHeaders?: ReadHeaders;
  /** The statuses of a request over the limit. Default: 429. */
  readonly limitedStatuses?: readonly number[];
  /** Where a refusal's JSON body has its wait, as a JSON pointer. Default: /error/retry_after_seconds. */
  readonly retryAfterPointer?: string;
  /** How it is written there: in whole seconds, in seconds with or without a fraction, or in ms. Default: whole-seconds. */
  readonly retryAfterUnit?: WaitUnit;
  /** Whether a refused request waits until the reset that the refusal's headers tell, where that is longer than what else it says. Default: false. */
  readonly waitUntilReset?: boolean;
  /** How long to wait after a refusal that does not say it, s, as where an API blocks whoever exceeds a limit. Default: as backoff has it. */
  readonly refusalWaitSeconds?: number;
};

export type PacedSettings = Required<
  Omit<PacedOptions, 'origins' | 'windowSeconds' | 'waitSecondsMax' | 'refusalWaitSeconds'>
> & {
  /** `null`: all. */
  readonly origins: ReadonlySet<string> | null;
  readonly windowMs: number;
  readonly waitMsMax: number;
  /** After a refusal that says nothing of a wait; `null` for backoff alone. */
  readonly refusalWaitMs: number | null;
};

/**
 * Settings that cannot be used: says which, and what to do.
 * @public
 */
export class PacedSettingsError extends Error {
  override readonly name = 'PacedSettingsError';
}

/**
 * Options with their defaults, checked.
 * @throws {PacedSettingsError}
 */
export function settle(options: PacedOptions): PacedSettings {
  const { windowSeconds = 60, refusalWaitSeconds } = options;
  const settings: PacedSettings = {
    scopes: options.scopes,
    origins: options.origins === undefined ? null : new Set(options.origins.map(originOf)),
    windowMs: windowSeconds * 1_000,
    share: options.share ?? 1,
    keyOf: options.keyOf ?? ((_request, header) => header('authorization') ?? ''),
    queueMax: options.queueMax ?? 10_000,
    attemptsMax: options.attemptsMax ?? 20,
    waitMsMax:
      1_000 *
      (options.waitSecondsMax ??
        5 * Math.max(longestSeconds(options.scopes, windowSeconds), refusalWaitSeconds ?? 0)),
    refusalWaitMs: refusalWaitSeconds === undefined ? null : 1_000 * refusalWaitSeconds,
    replayBytesMax: options.replayBytesMax ?? 1_048_576,
    learnFromHeaders: options.learnFromHeaders ?? true,
    readHeaders: options.readHeaders ?? usualHeaders,
    limitedStatuses: options.limitedStatuses ?? [429],
    retryAfterPointer: options.retryAfterPointer ?? '/error/retry_after_seconds',
    retryAfterUnit: options.retryAfterUnit ?? 'whole-seconds',
    waitUntilReset: options.waitUntilReset ?? false,
  };
  check('windowSeconds', windowSeconds, { above: 0, atMost: 86_400 });
  check('share', settings.share, { above: 0, atMost: 1 });
  checkInteger('queueMax', settings.queueMax, 1, 1_000_000);
  checkInteger('attemptsMax', settings.attemptsMax, 1, 1_000);
  check('waitSecondsMax', settings.waitMsMax / 1_000, { above: 0, atMost: 1_000_000 });
  if (refusalWaitSeconds !== undefined)
    check('refusalWaitSeconds', refusalWaitSeconds, { above: 0, atMost: 1_000_000 });
  checkInteger('replayBytesMax', settings.replayBytesMax, 0, 1_073_741_824);
  checkScopes(settings);
  if (!settings.limitedStatuses.every((status) => status >= 400 && status <= 599)) {
    throw new PacedSettingsError('limitedStatuses must be from 400 to 599: others are no refusals.');
  }
  return settings;
}

function longestSeconds(scopes: Scopes, windowSeconds: number): number {
  const all = Object.values(scopes).flatMap((rule) => [
    rule.windowSeconds ?? windowSeconds,
    ...(rule.also ?? []).map((one) => one.windowSeconds),
  ]);
  return Math.max(windowSeconds, ...all);
}

/** Of a limit, the part of one process; a part of less than one request would never send any. */
export function ownMaxOf(limit: number, share: number): number {
  // A third of 300, three times a third of which is 300, is 100 and not 99.
  return Math.max(1, Math.floor(limit * share + 1e-9));
}

function checkScopes({ scopes, share }: PacedSettings): void {
  const entries = Object.entries(scopes);
  if (entries.length === 0) {
    throw new PacedSettingsError('scopes is empty: name at least one, e.g. scopes: { all: { limit: 300 } }.');
  }
  entries.forEach(([name, rule], at) => {
    checkLimits(`scopes.${name}`, rule, share);
    const { match, within } = rule;
    const outer = within === undefined ? undefined : scopes[within];
    if (within !== undefined && (outer === undefined || outer.within !== undefined || within === name)) {
      throw new PacedSettingsError(
        `scopes.${name}.within is ${within}: name another scope, one that lies within none itself.`,
      );
    }
    if (match !== undefined || at === entries.length - 1) return;
    throw new PacedSettingsError(
      `scopes.${name} has no match and takes every request, so that what follows it is never used: put it last.`,
    );
  });
}

const monthSeconds = 2_678_400;

function checkLimits(name: string, rule: ScopeRule, share: number) {
  const { limit, windowSeconds, also = [], cost = 1 } = rule;
  checkKind(`${name}.kind`, rule.kind);
  checkInteger(`${name}.limit`, limit, 1, 1_000_000);
  if (windowSeconds !== undefined) {
    check(`${name}.windowSeconds`, windowSeconds, { above: 0, atMost: monthSeconds });
  }
  for (const [at, one] of also.entries()) {
    checkInteger(`${name}.also[${at}].limit`, one.limit, 1, 1_000_000);
    checkKind(`${name}.also[${at}].kind`, one.kind);
    check(`${name}.also[${at}].windowSeconds`, one.windowSeconds, { above: 0, atMost: monthSeconds });
  }
  if (typeof cost === 'function') return;
  const own = Math.min(...[limit, ...also.map((one) => one.limit)].map((one) => ownMaxOf(one, share)));
  checkInteger(`${name}.cost`, cost, 1, own);
}

function checkKind(name: string, kind: LimitKind | undefined): void {
  if (kind === undefined || limitKinds.includes(kind)) return;
  throw new PacedSettingsError(`${name} must be one of ${limitKinds.join(', ')}, not ${String(kind)}.`);
}

function originOf(text: string): string {
  if (URL.canParse(text)) return new URL(text).origin;
  throw new PacedSettingsError(`origins: "${text}" is no URL; give e.g. https://api.example.test.`);
}

function check(
  name: string,
  value: number,
  range: { readonly above: number; readonly atMost: number },
): void {
  if (Number.isFinite(value) && value > range.above && value <= range.atMost) return;
  throw new PacedSettingsError(
    `${name} must be more than ${range.above} and at most ${range.atMost}, not ${value}.`,
  );
}

function checkInteger(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new PacedSettingsError(`${name} must be a whole number from ${least} to ${most}, not ${value}.`);
}
