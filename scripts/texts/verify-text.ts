import { nearestRank, sortedCopy } from '../../contract/nearest-rank.ts';
import { columnsMin, cut, wrap } from '../../reports/terminal/layout.ts';
import { tableLines } from '../../reports/terminal/table.ts';
import { type Figure, type VerifyResult, verifyBounds } from '../../run/verify/verify.ts';

const head = ['', 'time, s', 'simulated', '429s/100', 'simulated', ''];
const nameCharactersMax = 24;

/** Measurement and simulation, a line for each strategy, and whether they agree. */
export function verifyText(results: readonly VerifyResult[], windowMs: number): string {
  const verified = results.filter((result) => result.kind === 'verified');
  const rows = verified.map(({ name, makespanMs, limited, measured, agrees }) => [
    cut(name, nameCharactersMax),
    seconds(makespanMs.measured),
    spreadOf(makespanMs, seconds),
    limited.measured.toFixed(1),
    spreadOf(limited, (value) => value.toFixed(1)),
    `${agrees ? 'agrees' : 'DISAGREES'}${measured.cameEarly ? ', retried too early' : ''}`,
  ]);
  const failed = results.flatMap((result) =>
    result.kind === 'failed' ? wrap(`${result.name}: not measured: ${result.reason}`, columnsMin) : [],
  );
  const { makespanShare, limitedPoints } = verifyBounds;
  const trips = verified.map(({ measured }) => nearestRank(sortedCopy(measured.roundTripsMs), 99) ?? '–');
  const note =
    `"agrees" means: the time differs by at most ${makespanShare * 100} % and the 429s by at most ${limitedPoints} of 100 ` +
    `from simulated runs with the same round trips (99 of 100 within ${trips.join(', ')} ms).`;
  return [
    `Live at the reference service with windows of ${windowMs / 1_000} s: k6 compared with the simulation`,
    ...tableLines([head, ...rows], {
      alignments: ['left', 'right', 'right', 'right', 'right', 'left'],
    }),
    ...failed,
    ...(verified.length === 0 ? [] : wrap(note, columnsMin)),
  ].join('\n');
}

function spreadOf({ simulated: { low, high } }: Figure, text: (value: number) => string): string {
  const [least, most] = [text(low), text(high)];
  return least === most ? least : `${least}–${most}`;
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? (ms / 1_000).toFixed(1) : 'not done';
}
