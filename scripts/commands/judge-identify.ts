import { limitersIn, type TracedLimiter } from '../../run/identify/identification-trace.ts';
import { parsedTrace, type TraceFile } from '../../run/judge/trace-file.ts';
import { identificationText } from '../texts/identification-text.ts';
import type { CommandIo } from './command-io.ts';

const exitIdentified = 0;
const exitUnidentified = 3;

/**
 * `conformance judge --identify`: the limiters that saved traces tell of, each trace by itself. The exit status is that of
 * `identify`: 0 where each limiter is identified.
 * @throws {UsageError} where a file is no trace of a deployment or of an identification; names the line.
 */
export function identifyTraces(
  io: CommandIo,
  files: readonly TraceFile[],
  { json }: { readonly json?: true | undefined },
): void {
  const found = files.map((file) => ({
    file,
    limiters: limitersIn(parsedTrace(file, 'is no trace that tells of a limiter')),
  }));
  for (const { file, limiters } of found) {
    if (limiters.length === 0) io.stderr.write(`${file.path}: no window was filled, so no limiter shows\n`);
    for (const limiter of limiters) io.stdout.write(json === true ? jsonLine(limiter) : text(limiter));
  }
  const all = found.flatMap(({ limiters }) => limiters);
  const isKnown =
    all.length > 0 && all.every(({ identification }) => identification.algorithm !== 'unidentified');
  io.exit(isKnown ? exitIdentified : exitUnidentified);
}

/** An identification as `identify --json` writes it; of a run, each with its scope and key. */
function jsonLine({ of, identification }: TracedLimiter): string {
  return `${JSON.stringify(of === null ? identification : { ...identification, ...of })}\n`;
}

function text({ of, identification }: TracedLimiter): string {
  const heading = of === null ? '' : `${of.scope}, key ${of.key}\n`;
  return `${heading}${identificationText(identification)}\n`;
}
