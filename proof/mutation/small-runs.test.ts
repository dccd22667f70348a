import { expect, it, test } from 'vitest';
import { clauses, type DecidedClauseId, findClause } from '../../contract/clauses/registry.ts';
import type { Trace } from '../../contract/trace.ts';
import { caseOf } from '../../judge/case.ts';
import { certificatesOf } from '../../judge/certificates/certify.ts';
import { judgeCase, judgeTrace } from '../../judge/judge-trace.ts';
import { flawsOf } from '../../judge/testing/certified.ts';
import { faults, variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { examine } from '../faults/examine.ts';
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
const subjects = [
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
function traceOf(subject: Subject): Trace {
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

const named = subjects.map((subject) => ({ name: subject.name, subject }));

it.each(named)('$name: what it must violate is violated and proved, and nothing else', ({ subject }) => {
  const examined = caseOf(traceOf(subject));
  const judgement = judgeCase(examined);
  const { discrepancies, violated } = examine(subject, judgement);
  expect(discrepancies).toEqual([]);
  const proven = new Map(certificatesOf(examined, judgement).map((one) => [one.clause, one]));
  const unproven = violated.filter((id) => {
    const certificate = proven.get(id as DecidedClauseId);
    return findClause(id)?.level !== 'observe' && flawsOf(certificate).length > 0;
  });
  expect(unproven).toEqual([]);
});

test('all that needs no load is held by a service as documented', () => {
  const { clauses: judged } = judgeTrace(traceOf(reference));
  const demanded = clauses.filter(({ level, needs }) => level === 'must' && needs !== 'load');
  const kinds = demanded.map(({ id }) => [id, judged.find(({ clause }) => clause === id)?.verdict.kind]);
  expect(kinds).toEqual(demanded.map(({ id }) => [id, 'held']));
});
