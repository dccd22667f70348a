import { libraryParameters } from '../../backoff/configurations.ts';
import type { Client } from '../../backoff/tuning/client.ts';
import { parametersText } from '../../backoff/tuning/families.ts';
import type { Figures, Mean } from '../../backoff/tuning/figures.ts';
import type { Ranked, Standing } from '../../backoff/tuning/rank.ts';
import { type Saving, savingsOf } from '../../backoff/tuning/savings.ts';
import { bestOfEachFamily } from '../../backoff/tuning/search.ts';
import type { Tuning } from '../../backoff/tuning/tuning.ts';
import { seconds } from '../../contract/quantities.ts';
import { wrap } from '../../reports/terminal/layout.ts';
import { tableLines } from '../../reports/terminal/table.ts';

const standings: Readonly<Record<Standing, string>> = {
  good: 'waits as the 429 asks, loses nothing, and is almost as fast as possible',
  slow: 'waits as the 429 asks and loses nothing, but is slower',
  unasked: 'lacks the growing backoff and the jitter that the document asks for',
  early: 'retries before retry_after_seconds are over',
  lossy: 'loses jobs',
};

/** The result of tuning for people, in lines of at most `columns` characters where words allow it. */
export function tuningText(tuning: Tuning, columns: number): string {
  return [
    ...settingLines(tuning),
    '',
    ...rankingLines(tuning),
    '',
    ...wrap(`recommended: ${described(tuning.recommended)}`, columns),
    ...costLines(tuning.recommended, columns),
    ...savingLines(tuning),
    '',
    ...libraryLines(tuning, columns),
  ].join('\n');
}

function settingLines({ client, situations }: Tuning): readonly string[] {
  const { limiter, rate, limiterFrom, latency } = client;
  const bounds = situations.map(({ name, boundSeconds }) => `${seconds(boundSeconds * 1_000, 1)} ${name}`);
  const loss = latency.lossShare === 0 ? '' : `, ${(latency.lossShare * 100).toFixed(1)} % lost`;
  return [
    `limiter  ${limiter.name}, ${rate.limit} in ${rate.windowMs / 1_000} s (${limiterFrom})`,
    `client   ${crowd(client)}, ${client.jobs} jobs by ${client.method}`,
    `network  median round trip ${latency.medianMs} ms, 99 of 100 within ${latency.p99Ms} ms${loss}`,
    `bound    ${bounds.join(', ')}: no strategy is faster`,
  ];
}

function crowd({ clients, processes }: Client): string {
  const count = clients === 1 ? '1 client' : `${clients} clients`;
  return processes === 1 ? `${count} in 1 process` : `${count} in ${processes} processes`;
}

/** The best of each family and what is used today, in groups from good to bad. */
function rankingLines({ ranking, situations }: Tuning): readonly string[] {
  const best = bestOfEachFamily(ranking);
  const kinds = [...new Set(best.map(({ standing }) => standing))];
  const grouped = kinds.flatMap((kind) => [
    { heading: standings[kind], row: null },
    ...best.filter(({ standing }) => standing === kind).map((row) => ({ heading: '', row })),
  ]);
  const cells = grouped.map(({ row }) =>
    row === null ? null : [rankOf(best, row), nameOf(row), ...row.figures.flatMap(figureCells)],
  );
  const head = ['', 'time ÷ bound, 429s/100', ...situations.flatMap(({ name }) => [name, ''])];
  const alignments = [
    'right' as const,
    'left' as const,
    ...situations.flatMap(() => ['right', 'right'] as const),
  ];
  const lines = tableLines([head, ...cells.filter((row) => row !== null)], { alignments });
  let next = 1;
  return [
    lines[0] ?? '',
    ...cells.map((row, at) => {
      if (row === null) return `    ${grouped[at]?.heading ?? ''}:`;
      const line = lines[next] ?? '';
      next += 1;
      return line;
    }),
  ];
}

function rankOf(best: readonly Ranked[], row: Ranked): string {
  return String(best.indexOf(row) + 1);
}

function nameOf({ trial: { candidate } }: Ranked): string {
  return candidate.family === null ? `${candidate.name} (today)` : candidate.name;
}

function figureCells({ overBound, wasted, lostJobs }: Figures): readonly string[] {
  const time = lostJobs > 0 ? `${lostJobs.toFixed(0)} lost` : withInterval(overBound, 3);
  const perHundred = { value: wasted.value * 100, low: wasted.low * 100, high: wasted.high * 100 };
  return [time, withInterval(perHundred, perHundred.value < 100 ? 1 : 0)];
}

/** `1.013 ±.001`: the value, and how far the confidence interval reaches. A wider interval than the value is its end alone. */
function withInterval({ value, high }: Mean, digits: number): string {
  if (!Number.isFinite(value)) return 'not done';
  if (high - value > value) return `up to ${high.toFixed(digits)}`;
  return `${value.toFixed(digits)} ±${(high - value).toFixed(digits).replace(/^0(?=\.)/, '')}`;
}

function described({ trial }: Ranked): string {
  const { name, parameters } = trial.candidate;
  const text = parametersText(parameters);
  return text === '' ? name : `${name}, ${text}`;
}

/** What is fast for a backlog may be slow for a person who waits for one answer. */
function costLines({ trial }: Ranked, columns: number): readonly string[] {
  const leastMs = trial.candidate.parameters['leastMs'] ?? 0;
  if (leastMs < noticedMs) return [];
  const text = `waits at least ${leastMs / 1_000} s after any 429: good for a backlog, slow for a person who waits for one answer`;
  return wrap(text, columns - 2).map((line) => `  ${line}`);
}

/** The shortest wait that a person notices, ms. */
const noticedMs = 2_000;

/** The recommendation compared with what is used today: a row for each, two columns for each situation. */
function savingLines(tuning: Tuning): readonly string[] {
  const savings = savingsOf(tuning);
  if (savings.length === 0) return [];
  const names = tuning.situations.map(({ name }) => name);
  const rivals = [...new Set(savings.map(({ against }) => against))];
  const rows = rivals.map((rival) => [
    `    ${rival}`,
    ...savings.filter(({ against }) => against === rival).flatMap(savingCells),
  ]);
  const head = ['  compared with', ...names.flatMap((name) => [name, ''])];
  const alignments = ['left' as const, ...names.flatMap(() => ['right', 'right'] as const)];
  return tableLines([head, ...rows], { alignments });
}

function savingCells({ seconds: saved, refusals, lostJobs }: Saving): readonly string[] {
  return [
    saved === null ? `${lostJobs.toFixed(0)} more jobs done` : savedText(saved),
    refusals >= 0 ? `${refusals.toFixed(0)} fewer 429s` : `${(-refusals).toFixed(0)} more 429s`,
  ];
}

function savedText(saved: number): string {
  const time = seconds(Math.abs(saved) * 1_000, 1);
  return saved >= 0 ? `${time} sooner` : `${time} later`;
}

function libraryLines(tuning: Tuning, columns: number): readonly string[] {
  const { forLibraries, recommended } = tuning;
  const { name } = forLibraries.trial.candidate;
  return [
    ...wrap(`for libraries: ${name}, ${parametersText(libraryParameters(tuning))}`, columns),
    ...(forLibraries === recommended ? [] : costLines(forLibraries, columns)),
  ];
}
