import type { Outcome } from '../../contract/outcome.ts';

/** One line of the display: a scope, a load scenario, or a step before them. */
export type Row = {
  readonly id: string;
  readonly state: 'pending' | 'active' | 'done' | 'failed';
  /** What is being done, in a few words. */
  readonly doing: string;
  /** When what is waited for comes, ms by the HTTP client's clock; `null` where nothing is waited for. */
  readonly untilMs: number | null;
  readonly answered: number;
  readonly limited: number;
  /** Most requests that this row will send; `null` where it sends none of its own. */
  readonly requestsMax: number | null;
};

export type Progress = readonly Row[];

export type ProgressEvent = { readonly row: string } & (
  | { readonly kind: 'doing'; readonly text: string }
  | { readonly kind: 'waiting'; readonly why: string; readonly untilMs: number }
  | { readonly kind: 'answered'; readonly outcome: Outcome }
  | { readonly kind: 'ended'; readonly state: 'done' | 'failed'; readonly text: string }
);

/** Whatever shows a run while it happens. */
export type Display = {
  readonly show: (event: ProgressEvent) => void;
  /** Leaves the last state on the screen. */
  readonly close: () => Promise<void>;
};

export function pendingRow(id: string, requestsMax: number | null): Row {
  return {
    id,
    state: 'pending',
    doing: 'waiting for its turn',
    untilMs: null,
    answered: 0,
    limited: 0,
    requestsMax,
  };
}

/** The progress after an event; a row that is not shown, or has ended, stays as it is. */
export function advanced(progress: Progress, event: ProgressEvent): Progress {
  return progress.map((row) => (row.id === event.row && !hasEnded(row) ? afterEvent(row, event) : row));
}

export function hasEnded({ state }: Row): boolean {
  return state === 'done' || state === 'failed';
}

function afterEvent(row: Row, event: ProgressEvent): Row {
  switch (event.kind) {
    case 'doing':
      return { ...row, state: 'active', doing: event.text, untilMs: null };
    case 'waiting':
      return { ...row, state: 'active', doing: event.why, untilMs: event.untilMs };
    case 'answered':
      return {
        ...row,
        answered: row.answered + 1,
        limited: row.limited + (event.outcome === 'limited' ? 1 : 0),
      };
    case 'ended':
      return { ...row, state: event.state, doing: event.text, untilMs: null };
    default:
      return event satisfies never;
  }
}

/** A row as text: what is done, how long it is waited, requests answered of how many. */
export function rowText(row: Row, options: { readonly nowMs: number; readonly labelWidth: number }): string {
  return `${row.id.padEnd(options.labelWidth)}  ${row.doing}${countdownText(row, options.nowMs)}${countText(row)}`;
}

/** How long it is still waited; nothing where that would only flicker. */
export function countdownText({ untilMs }: Row, nowMs: number): string {
  const leftSeconds = untilMs === null ? 0 : Math.ceil((untilMs - nowMs) / 1_000);
  return leftSeconds > 1 ? `, ${leftSeconds} s left` : '';
}

export function countText({ requestsMax, answered, limited }: Row): string {
  if (requestsMax === null || answered === 0) return '';
  return ` (${answered} of ≤ ${requestsMax} sent${limited === 0 ? '' : `, ${limited} limited`})`;
}
