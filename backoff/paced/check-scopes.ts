import type { PacedSettings } from './options.ts';
import { limitKinds, ownMaxOf, type ScopeRule } from './scopes.ts';
import {
  anyKind,
  check,
  checkFields,
  checkInteger,
  isRecord,
  type Kind,
  PacedSettingsError,
  readingKind,
} from './settings-error.ts';

/** The longest window that a limit of a document makes, s: a bucket of a million is full again, at one in 31 days. */
export const windowSecondsMax = 1_000_000 * 2_678_400;

const kindOfLimit: Kind = {
  is: (value) => limitKinds.some((kind) => kind === value),
  words: `one of ${limitKinds.join(', ')}`,
};

const limitFields = { limit: anyKind, windowSeconds: anyKind, kind: kindOfLimit };

const scopeFields: Readonly<Record<keyof ScopeRule, Kind>> = {
  ...limitFields,
  also: {
    is: (value) => Array.isArray(value) && value.every(isRecord),
    words: 'a list of limits, e.g. [{ limit: 5, windowSeconds: 1 }]',
  },
  within: { is: (value) => typeof value === 'string', words: 'the name of another scope' },
  cost: anyKind,
  learnFromHeaders: { is: (value) => typeof value === 'boolean', words: 'true or false' },
  readHeaders: readingKind,
  match: {
    is: (value) =>
      typeof value === 'function' ||
      value instanceof RegExp ||
      (typeof value === 'string' && value.startsWith('/')),
    words: 'a path, e.g. "/v1", an expression, or a function',
  },
};

/** @throws {PacedSettingsError} */
export function checkScopes({ scopes, share }: Pick<PacedSettings, 'scopes' | 'share'>): void {
  const entries = Object.entries(scopes);
  if (entries.length === 0) {
    throw new PacedSettingsError('scopes is empty: name at least one, e.g. scopes: { all: { limit: 300 } }.');
  }
  entries.forEach(([name, rule], at) => {
    checkLimits(`scopes.${name}`, rule, share);
    const { match, within } = rule;
    const outer = within !== undefined && Object.hasOwn(scopes, within) ? scopes[within] : undefined;
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

/** Holds the names and kinds in each scope to what they may be, before anything is read from them. */
export function checkScopeFields(scopes: object): void {
  for (const [name, rule] of Object.entries(scopes)) {
    const path = `scopes.${name}`;
    if (!isRecord(rule)) {
      throw new PacedSettingsError(`${path} must be an object with a limit, e.g. { limit: 300 }.`);
    }
    checkFields(rule, scopeFields, { path: `${path}.`, unknown: (field) => `${path} has no ${field}` });
    const { also = [] } = rule;
    for (const [at, one] of (also as readonly object[]).entries()) {
      const each = `${path}.also[${at}]`;
      checkFields(one, limitFields, { path: `${each}.`, unknown: (field) => `${each} has no ${field}` });
    }
  }
}

function checkLimits(name: string, rule: ScopeRule, share: number): void {
  const { limit, windowSeconds, also = [], cost = 1 } = rule;
  checkLimit(`${name}.limit`, limit, share);
  const seconds = { above: 0, atMost: windowSecondsMax };
  if (windowSeconds !== undefined) check(`${name}.windowSeconds`, windowSeconds, seconds);
  for (const [at, one] of also.entries()) {
    checkLimit(`${name}.also[${at}].limit`, one.limit, share);
    check(`${name}.also[${at}].windowSeconds`, one.windowSeconds, seconds);
  }
  if (typeof cost === 'function') return;
  const own = Math.min(...[limit, ...also.map((one) => one.limit)].map((one) => ownMaxOf(one, share)));
  checkInteger(`${name}.cost`, cost, { atLeast: 1, atMost: own });
}

/** Also that the share of it is a request at least: less of it cannot be sent, and more would be somebody else's. */
function checkLimit(name: string, limit: number, share: number): void {
  checkInteger(name, limit, { atLeast: 1, atMost: 1_000_000 });
  if (ownMaxOf(limit, share) >= 1) return;
  const least = Math.ceil(1_000 / limit) / 1_000;
  throw new PacedSettingsError(
    `share: ${share} of ${name}, which is ${limit}, is less than one request: give a share of at least ${least}, ` +
      'and let no more processes send than have such a share.',
  );
}
