import type { Setting } from './setting.ts';

/** What is written down while a backlog is played out: counts, and the moments of which figures are made. */
export type Tally = {
  /** Things that happened: a request arrived, an answer did, a client woke. */
  events: number;
  sent: number;
  admitted: number;
  limited: number;
  /** Requests whose answer never came, or which never arrived. */
  unanswered: number;
  /** Most requests that one job took. */
  attemptsMax: number;
  /** Retries sent before the 429's `retry_after_seconds` were over. */
  early: number;
  arrived: number;
  peak: number;
  /** Arrivals in each of the last ten cells of the clock, by the cell's last digit. */
  readonly cells: Int32Array;
  cell: number;
  inCells: number;
  /** When each admitted job was answered, in that order. */
  readonly completedMs: Float64Array;
  /** By client: when its last job ended; NaN where it never did. */
  readonly finishedMs: Float64Array;
};

const cellMs = 10;
const cellsOfPeak = 10;

export function emptyTally({ jobs, clients }: Setting): Tally {
  return {
    events: 0,
    sent: 0,
    admitted: 0,
    limited: 0,
    unanswered: 0,
    attemptsMax: 0,
    early: 0,
    arrived: 0,
    peak: 0,
    cells: new Int32Array(cellsOfPeak),
    cell: Number.NEGATIVE_INFINITY,
    inCells: 0,
    completedMs: new Float64Array(jobs),
    finishedMs: new Float64Array(clients).fill(Number.NaN),
  };
}

/** Moments must not go back. */
export function countArrival(tally: Tally, nowMs: number): void {
  const { cells } = tally;
  const cell = Math.floor(nowMs / cellMs);
  if (cell !== tally.cell) {
    const passed = Math.min(cellsOfPeak, cell - tally.cell);
    for (let ahead = 0; ahead < passed; ahead += 1) {
      const at = (cell - ahead + cellsOfPeak) % cellsOfPeak;
      tally.inCells -= cells[at] as number;
      cells[at] = 0;
    }
    tally.cell = cell;
  }
  const at = cell % cellsOfPeak;
  cells[at] = (cells[at] as number) + 1;
  tally.inCells += 1;
  tally.arrived += 1;
  if (tally.inCells > tally.peak) tally.peak = tally.inCells;
}
