import type { ProbeEvent } from '../../checks/probe-run.ts';
import { ofLimit } from '../../reports/purpose-text.ts';
import type { ProgressEvent } from './progress.ts';

/** The row of what comes before the probes. */
export const preflightRow = 'preflight';

/** The row of the run as a whole. */
export const runRow = 'run';

/** What requests are sent for, in words for a person who watches. */
const purposes: Readonly<Record<string, string>> = {
  preflight: 'is the service there, are requests accepted, is nothing used yet?',
  'without-key': 'asking without a valid key',
  'after-without-key': 'asking what that cost',
  'other-error': 'asking for another error',
  fill: 'filling a part of the window',
  'fill-last': 'asking how soon answers come',
  single: 'taking places one by one',
  saturate: 'filling the window up to its limit',
  edge: 'asking for the dearest while less is left',
  confirm: 'confirming that the window is full',
  'other-key': 'asking with the other key',
  'other-key-late': 'asking with the other key',
  quiet: 'quiet part of the window',
  ladder: 'until the first request leaves the window',
  'single-return': 'asking for each of those places',
  'all-back': 'asking whether all has come back',
  recount: 'watching for use of the key by others',
  gap: 'asking how much has come back',
  reburst: 'filling the emptied window again',
  boundary: 'asking whether a boundary of the clock frees the place',
  'late-return': 'asking whether the window is longer',
  'stated-wait': 'asking after the documented wait',
  'stated-fill': 'filling the limit again',
  'stated-single': 'asking until a refusal',
  'stated-again': 'asking after the documented wait',
  'late-visit': 'filling the window once more, at a late moment',
  ask: 'asking whether the limit has come back',
  wait: 'asking whether the service answers',
  burst: 'asking until a refusal',
};

/** What an event of the probes means for the rows of the display. */
export function probeProgress(event: ProbeEvent): readonly ProgressEvent[] {
  switch (event.kind) {
    case 'waiting':
      return [{ kind: 'waiting', row: event.scope ?? preflightRow, why: event.why, untilMs: event.untilMs }];
    case 'sending':
      return [{ kind: 'doing', row: rowOf(event.purpose, event.scope), text: purposeText(event.purpose) }];
    case 'answered': {
      const { purpose, scope, outcome } = event.exchange;
      const row = rowOf(purpose, scope);
      return [{ kind: 'answered', row, outcome }];
    }
    default:
      return event satisfies never;
  }
}

function rowOf(purpose: string, scope: string | null): string {
  return purpose === 'preflight' ? preflightRow : (scope ?? preflightRow);
}

function purposeText(purpose: string): string {
  return ofLimit(purpose, (named) =>
    named.startsWith('retry')
      ? 'coming back after the announced wait'
      : (purposes[named.replace(/-(?:edge|\d+)$/, '')] ?? named),
  );
}
