import type { Trace } from '../../contract/trace.ts';
import { faults, variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { faultSubjects, reference, type Subject, variantSubjects } from '../faults/subjects.ts';
import { openingFor, worldFor } from '../faults/whole-run.ts';
import { opening, simulatedTrace } from '../simulation/simulated-trace.ts';

/** A tenth of the document's: a run is judged within milliseconds, so that each change to a judge can be tried by all of them. */
const limits = { standard: 12, messages: 30, media: 6 };
const seed = 1;

/** Faults that are about the limits of the document themselves. */
const onlyWithDocumentedLimits: ReadonlySet<string> = new Set([
  'limit-of-standard',
  'token-bucket',
  'token-bucket-small',
  'window-per-method',
]);

/** Those of the variants that a judge of counts or times could take for a fault. */
const telling: ReadonlySet<string> = new Set([
  'rejections-counted',
  'whole-seconds',
  'sub-windows-of-a-second',
  'window-closed-at-both-ends',
  'per-second-cap-unsaid',
  'per-second-cap-calendar',
  'slow-answers',
  'nodes-apart',
  'clock-stepped',
  'reset-window-empties',
  'retry-after-spread',
  'address-banned',
]);

/** Of the faults that have to be called the same, the first. */
export const smallSubjects = [
  reference,
  ...faultSubjects
    .filter(({ name }) => !onlyWithDocumentedLimits.has(name))
    .filter((one, at, all) => all.findIndex((other) => verdictOf(other) === verdictOf(one)) === at),
  ...variantSubjects.filter(({ name }) => telling.has(name)),
];

function verdictOf({ must, reasons }: Subject): string {
  return [...must, ...reasons].join(' ');
}

const traces = new Map<string, Trace>();

/** The same trace each time, also while the code that simulates is changed. */
export function smallTraceOf(subject: Subject): Trace {
  const known = traces.get(subject.name) ?? played(subject);
  traces.set(subject.name, known);
  return known;
}

function played({ name, setting }: Subject): Trace {
  const deviation = [...faults, ...variants].find((one) => one.name === name);
  const service = offlineService({
    limits,
    windowMs: opening.windowMs,
    faults: deviation === undefined ? [] : [deviation],
  });
  return simulatedTrace(service, worldFor(setting, seed), seed, { ...openingFor(setting, seed), limits });
}
