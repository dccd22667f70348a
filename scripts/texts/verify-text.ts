import { ascending, nearestRank } from '../../contract/nearest-rank.ts';
import { columnsMin, cut, tableLines, wrap } from '../../reports/terminal/layout.ts';
import { type Figure, type Verified, verifyBounds } from '../../run/verify/verify.ts';

const head = ['', 'time, s', 'simulated', '429s/100', 'simulated', ''];
const nameCharactersMax = 24;

/** Simulation beside measurement, a line for each strategy, and whether they agree. */
export function verifyText(results: readonly Verified[], windowMs: number): string {
  const verified = results.filter((result) => result.kind === 'verified');
  const rows = verified.map(({ name, makespanMs, limited, measured, agrees }) => [
    cut(name, nameCharactersMax),
    seconds(makespanMs.measured),
    spreadOf(makespanMs, seconds),
    limited.measured.toFixed(1),
    spreadOf(limited, (value) => value.toFixed(1)),
    `${agrees ? 'agrees' : 'DISAGREES'}${measured.cameEarly ? ', came early' : ''}`,
  ]);
  const failed = results.flatMap((result) =>
    result.kind === 'failed' ? wrap(`${result.name}: not measured: ${result.reason}`, columnsMin) : [],
  );
  const { makespanShare, limitedPoints } = verifyBounds;
  const trips = verified.map(({ measured }) => nearestRank(ascending(measured.roundTripsMs), 99) ?? '–');
  const note =
    `Agrees: within ${makespanShare * 100} % of the time and ${limitedPoints} of 100 of what simulated runs with the same ` +
    `round trips came to (99 of 100 within ${trips.join(', ')} ms).`;
  return [
    `Live at the reference service, windows of ${windowMs / 1_000} s, k6 beside the simulation`,
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
