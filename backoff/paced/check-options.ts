import { retryAfterForms } from '../../contract/document/retry-after.ts';
import { waitUnits } from '../../contract/wait-units.ts';
import type { PacedOptions } from './options.ts';
import {
  anyKind,
  checkFields,
  isRecord,
  type Kind,
  PacedSettingsError,
  readingKind,
} from './settings-error.ts';

const isFunction: Kind['is'] = (value) => typeof value === 'function';
const isListOf = (is: Kind['is']) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(is);
const flag: Kind = { is: (value) => typeof value === 'boolean', words: 'true or false' };

/** What each option must be; numbers are held to their ranges elsewhere. */
const kinds: Readonly<Record<keyof PacedOptions, Kind>> = {
  scopes: { is: isRecord, words: 'an object of limits by names of yours, e.g. { all: { limit: 300 } }' },
  origins: {
    is: isListOf((value) => typeof value === 'string'),
    words: 'a list of origins, e.g. ["https://api.example.test"]',
  },
  windowSeconds: anyKind,
  share: anyKind,
  keyOf: {
    is: isFunction,
    words: 'a function that gives the key of a request, e.g. (request, header) => header("x-api-key") ?? ""',
    isHidden: true,
  },
  queueMax: anyKind,
  attemptsMax: anyKind,
  waitSecondsMax: anyKind,
  replayBytesMax: anyKind,
  learnFromHeaders: flag,
  readHeaders: readingKind,
  limitedStatuses: {
    is: isListOf((value) => Number.isInteger(value)),
    words: 'a list of statuses, e.g. [429]',
  },
  retryAfterHeader: {
    is: (value) =>
      isRecord(value) &&
      typeof value['name'] === 'string' &&
      retryAfterForms.some((form) => form === value['form']),
    words: `a header, e.g. { name: "retry-after-ms", form: "ms" }, with a form that is one of ${retryAfterForms.join(', ')}`,
  },
  retryAfterPointer: anyKind,
  retryAfterUnit: {
    is: (value) => waitUnits.some((unit) => unit === value),
    words: `one of ${waitUnits.join(', ')}`,
  },
  waitUntilReset: flag,
  refusalWaitSeconds: anyKind,
};

/**
 * Holds what a program gave, in whatever language it is written, to the names and kinds of the options.
 * @throws {PacedSettingsError}
 */
export function checkOptions(options: unknown): void {
  const example = 'e.g. paced({ scopes: { all: { limit: 300 } } })';
  if (!isRecord(options)) {
    throw new PacedSettingsError(`paced takes its options in one object, with scopes in it, ${example}.`);
  }
  checkFields(options, kinds, { path: '', unknown: (name) => `there is no option ${name}` });
  if (options['scopes'] === undefined) throw new PacedSettingsError(`scopes is missing: ${example}.`);
  const { retryAfterPointer } = options;
  if (retryAfterPointer !== undefined) checkPointer(retryAfterPointer);
}

/** RFC 6901. */
function checkPointer(given: unknown): void {
  const text = typeof given === 'string' ? given : '';
  if (typeof given === 'string' && /^(?:\/(?:[^~/]|~[01])*)*$/.test(text)) return;
  const words = `a JSON pointer, e.g. ${JSON.stringify(`/${text.replace(/^\//, '').replaceAll('.', '/')}`)}`;
  const kind: Kind = { is: () => false, words };
  checkFields({ retryAfterPointer: given }, { retryAfterPointer: kind }, { path: '', unknown: String });
}
