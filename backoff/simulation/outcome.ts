import { jobsOf, type Setting } from './setting.ts';

/** The figures of one backlog. */
export type Outcome = {
  /** From the beginning until the last job was done or lost, ms; `Infinity` where it was broken off. */
  readonly makespanMs: number;
  readonly admitted: number;
  readonly limited: number;
  /** 429s for each admitted request. */
  readonly wasted: number;
  readonly early: number;
  /** Jobs that were given up on, or not done when it was broken off. */
  readonly lostJobs: number;
  /** When half of the jobs, and 99 of 100, were done, ms; `Infinity` where fewer ever were. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Jain's index of the clients' throughputs: 1 where all are equal, 1/clients where one has everything. */
  readonly fairness: number;
  /** Most requests that arrived in 100 ms, to the nearest 10 ms. */
  readonly peak: number;
  /** Most requests that one job took. */
  readonly attemptsMax: number;
  readonly sent: number;
  readonly events: number;
};

/** The figures of a tally. */
export function outcomeOf(setting: Setting, tally: Tally): Outcome {
  const { admitted, limited, early, peak, attemptsMax, sent, events, finishedMs } = tally;
  const { startMs, clients, jobs } = setting;
  let lastMs = startMs;
  let sum = 0;
  let squares = 0;
  for (let client = 0; client < Math.min(clients, jobs); client += 1) {
    const endMs = finishedMs[client] as number;
    const throughput = Number.isNaN(endMs) ? 0 : jobsOf(setting, client) / Math.max(endMs - startMs, 1);
    if (!(endMs <= lastMs)) lastMs = Number.isNaN(endMs) ? Number.POSITIVE_INFINITY : Math.max(lastMs, endMs);
    sum += throughput;
    squares += throughput * throughput;
  }
  return {
    makespanMs: lastMs - startMs,
    admitted,
    limited,
    wasted: limited / Math.max(1, admitted),
    early,
    lostJobs: jobs - admitted,
    p50Ms: completionMs(setting, tally, 0.5),
    p99Ms: completionMs(setting, tally, 0.99),
    fairness: squares === 0 ? 0 : (sum * sum) / (Math.min(clients, jobs) * squares),
    peak,
    attemptsMax,
    sent,
    events,
  };
}

/** Jobs were done in the order in which they are recorded, and those that were lost never. */
function completionMs({ jobs, startMs }: Setting, { completedMs, admitted }: Tally, share: number): number {
  const rank = Math.ceil(share * jobs) - 1;
  return rank < admitted ? (completedMs[rank] as number) - startMs : Number.POSITIVE_INFINITY;
}

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
