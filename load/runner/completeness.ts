import { howMany } from '../../contract/quantities.ts';
import { maskerOf } from '../../contract/secret/masker.ts';
import { stars } from '../../contract/secret/wholes.ts';
import type { ChildEnd, StopReason } from './child.ts';
import type { K6Summary } from './k6-summary.ts';

/** Everything that shows whether one process of k6 ran to its end and recorded what it sent. */
export type Ran = {
  readonly end: ChildEnd;
  readonly summary: K6Summary | null;
  /** How many lines of k6's console are exchanges, and how many are not. */
  readonly exchanges: number;
  readonly strangeLines: number;
};

/** k6's exit status where a threshold was crossed and everything else went well. */
const thresholdsCrossed = 99;

const stopWords: Readonly<Record<StopReason, string>> = {
  aborted: 'interrupted',
  'time-out': 'k6 did not end in time and was stopped',
  memory: 'k6 took too much memory (answers with very long bodies?) and was stopped',
};

/** k6's exit statuses that these scenarios can end with, in words. */
const exitWords: Readonly<Record<number, string>> = {
  103: 'k6 failed inside',
  104: 'k6 found its settings unusable',
  105: 'k6 was interrupted',
  107: 'the script could not be loaded',
  108: 'the script stopped the run',
  109: 'k6 crashed',
  137: 'k6 was killed (out of memory?)',
};

/**
 * Why the exchanges of a process are not all that it sent; `null` where they are. A crossed threshold alone is not a
 * reason: the judges see unexpected answers in the exchanges.
 */
export function whyIncomplete(ran: Ran): string | null {
  return whyEndedEarly(ran.end) ?? whyNotWhole(ran);
}

/** Why a process of k6 ended early; `null` where it did not. */
export function whyEndedEarly(end: ChildEnd): string | null {
  switch (end.kind) {
    case 'not-started':
      return `k6 could not be started (${end.reason})`;
    case 'stopped':
      return stopWords[end.why];
    case 'killed':
      return `k6 was killed by ${end.by}${end.by === 'SIGKILL' ? ' (out of memory?)' : ''}`;
    case 'exited':
      if (end.code === 0 || end.code === thresholdsCrossed) return null;
      return `${exitWords[end.code] ?? 'k6 failed'} (exit status ${end.code})`;
    default:
      return end satisfies never;
  }
}

function whyNotWhole({ summary, exchanges, strangeLines }: Ran): string | null {
  if (summary === null) return 'k6 wrote no summary of its requests';
  if (summary.scriptErrors > 0) return 'the script threw an exception';
  if (strangeLines === 1) return 'k6 wrote 1 line that is no exchange of its scenario';
  if (strangeLines > 1) return `k6 wrote ${strangeLines} lines that are not exchanges of its scenario`;
  if (summary.requests !== exchanges) {
    return `k6 says it sent ${howMany(summary.requests, 'request')}, but wrote ${howMany(exchanges, 'exchange')}`;
  }
  return null;
}

const lastWordsMax = 5;
const wordsCharactersMax = 300;

/** The last lines that k6 wrote on standard error, without the keys. */
export type LastWords = { readonly hear: (line: string) => void; readonly said: () => string };

export function lastWords(secrets: readonly string[]): LastWords {
  const { mask } = maskerOf(secrets.map((secret) => ({ secret, maskOf: stars })));
  const lines: string[] = [];
  return {
    hear(line) {
      const text = mask(line).trim().slice(0, wordsCharactersMax);
      if (text !== '') lines.push(text);
      if (lines.length > lastWordsMax) lines.shift();
    },
    said: () => (lines.length === 0 ? '' : `; its last lines: ${lines.join(' / ')}`),
  };
}
