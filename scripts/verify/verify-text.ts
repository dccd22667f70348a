import { tableLines } from '../../reports/terminal/layout.ts';
import { type Figure, type Verified, verifyBounds } from './verify.ts';

const head = ['strategy', 'time', 'simulated', '429s for 100', 'simulated', 'round trip', ''];

/** Simulation beside measurement, a line for each strategy, and whether they agree. */
export function verifyText(results: readonly Verified[], windowMs: number): string {
  const verified = results.filter((result) => result.kind === 'verified');
  const rows = verified.map(({ name, makespanMs, limited, measured, agrees }) => [
    name,
    seconds(makespanMs.measured),
    spreadOf(makespanMs, seconds),
    limited.measured.toFixed(1),
    spreadOf(limited, (value) => value.toFixed(1)),
    `${measured.medianMs.toFixed(1)} ms`,
    `${agrees ? 'agrees' : 'DISAGREES'}${measured.cameEarly ? ', came early' : ''}`,
  ]);
  const failed = results.flatMap((result) =>
    result.kind === 'failed' ? [`${result.name}: not measured: ${result.reason}`] : [],
  );
  const { makespanShare, limitedPoints } = verifyBounds;
  return [
    `Live at the reference service, windows of ${windowMs / 1_000} s, beside the simulation with the same round trips`,
    ...tableLines([head, ...rows], {
      alignments: ['left', 'right', 'right', 'right', 'right', 'right', 'left'],
    }).map((line) => `  ${line}`),
    ...failed,
    `Agrees: at most ${makespanShare * 100} % of the time and ${limitedPoints} of 100 beyond what the simulated runs span.`,
  ].join('\n');
}

function spreadOf({ simulated: { low, median, high } }: Figure, text: (value: number) => string): string {
  const [least, middle, most] = [low, median, high].map(text);
  return least === most ? `${middle}` : `${middle} (${least}–${most})`;
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'not done';
}
