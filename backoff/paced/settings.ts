import { usualRetryAfter } from '../../contract/document/retry-after.ts';
import { checkOptions } from './check-options.ts';
import { checkScopeFields, checkScopes, windowSecondsMax } from './check-scopes.ts';
import { usualHeaders } from './headers.ts';
import type { PacedOptions, PacedSettings } from './options.ts';
import { check, checkInteger, PacedSettingsError, shown } from './settings-error.ts';

/** The window of the messaging document, s. */
const windowSecondsUsual = 60;

/** The longest wait after a refusal that may be chosen, s. */
const waitSecondsMost = 1_000_000;

/**
 * Options with their defaults, checked.
 * @throws {PacedSettingsError}
 */
export function settle(options: PacedOptions): PacedSettings {
  checkOptions(options);
  checkScopeFields(options.scopes);
  const { windowSeconds = windowSecondsUsual, refusalWaitSeconds } = options;
  const settings: PacedSettings = {
    scopes: options.scopes,
    origins: options.origins === undefined ? null : new Set(options.origins.map(originOf)),
    windowMs: windowSeconds * 1_000,
    share: options.share ?? 1,
    keyOf: options.keyOf ?? ((_request, header) => header('authorization') ?? ''),
    queueMax: options.queueMax ?? 10_000,
    attemptsMax: options.attemptsMax ?? 20,
    waitMsMax: 1_000 * (options.waitSecondsMax ?? usualWaitSeconds(options)),
    refusalWaitMs: refusalWaitSeconds === undefined ? null : 1_000 * refusalWaitSeconds,
    replayBytesMax: options.replayBytesMax ?? 1_048_576,
    learnFromHeaders: options.learnFromHeaders ?? true,
    readHeaders: options.readHeaders ?? usualHeaders,
    limitedStatuses: options.limitedStatuses ?? [429],
    retryAfterHeader: options.retryAfterHeader ?? { name: usualRetryAfter, form: 'either' },
    retryAfterPointer: options.retryAfterPointer ?? '/error/retry_after_seconds',
    retryAfterUnit: options.retryAfterUnit ?? 'whole-seconds',
    waitUntilReset: options.waitUntilReset ?? false,
  };
  check('windowSeconds', windowSeconds, { above: 0, atMost: windowSecondsMax });
  check('share', settings.share, { above: 0, atMost: 1 });
  checkScopes(settings);
  checkInteger('queueMax', settings.queueMax, { atLeast: 1, atMost: 1_000_000 });
  checkInteger('attemptsMax', settings.attemptsMax, { atLeast: 1, atMost: 1_000 });
  check('waitSecondsMax', settings.waitMsMax / 1_000, { above: 0, atMost: waitSecondsMost });
  if (refusalWaitSeconds !== undefined)
    check('refusalWaitSeconds', refusalWaitSeconds, { above: 0, atMost: waitSecondsMost });
  checkInteger('replayBytesMax', settings.replayBytesMax, { atLeast: 0, atMost: 1_073_741_824 });
  if (!settings.limitedStatuses.every((status) => status >= 400 && status <= 599)) {
    throw new PacedSettingsError('limitedStatuses must be from 400 to 599: others are no refusals.');
  }
  return settings;
}

/** The settings as they are for the requests of each scope. */
export function settingsByScope(settings: PacedSettings): (scope: string) => PacedSettings {
  const own = new Map(
    Object.entries(settings.scopes).flatMap(([name, { readHeaders }]) =>
      readHeaders === undefined ? [] : [[name, { ...settings, readHeaders }] as const],
    ),
  );
  return (scope) => own.get(scope) ?? settings;
}

/** What a refusal may ask for where nobody chose it, s: five windows, or as much as may be chosen. */
function usualWaitSeconds({
  scopes,
  windowSeconds = windowSecondsUsual,
  refusalWaitSeconds = 0,
}: Pick<PacedOptions, 'scopes' | 'windowSeconds' | 'refusalWaitSeconds'>): number {
  const all = Object.values(scopes).flatMap((rule) => [
    rule.windowSeconds ?? windowSeconds,
    ...(rule.also ?? []).map((one) => one.windowSeconds),
  ]);
  return Math.min(waitSecondsMost, 5 * Math.max(windowSeconds, refusalWaitSeconds, ...all));
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  // What has no host, like "a.test:80", is one of no place.
  if (url === null || url.origin === 'null') {
    throw new PacedSettingsError(`origins: ${shown(text)} is no URL; give e.g. https://api.example.test.`);
  }
  if (url.pathname === '/' && url.search === '' && url.hash === '') return url.origin;
  throw new PacedSettingsError(
    `origins: ${shown(text)} is more than an origin: give ${url.origin}, and say by match in scopes which of its requests are meant.`,
  );
}
