import { expect, it } from 'vitest';
import { caseOf } from '../../judge/case.ts';
import { countedApart } from '../../judge/counted-apart.ts';
import { examineVerdicts } from '../../judge/examination.ts';
import { seeded } from '../../run/seeded.ts';
import { reference } from '../faults/subjects.ts';
import { wholeTrace } from '../faults/whole-run.ts';
import type { SimulatedService } from '../simulation/simulated-service.ts';

const seed = 1;
const traceOf = (service: SimulatedService) => wholeTrace({ service, setting: reference.setting, seed });

/** Processes of the documented service behind one address, of which one takes each request. */
function processes(count: number, chosen: (turn: number) => number): SimulatedService {
  const each = Array.from({ length: count }, () => reference.open());
  let turn = 0;
  return (request, nowMs) => {
    turn += 1;
    return each[chosen(turn) % count]?.(request, nowMs) ?? null;
  };
}

it('processes that count apart are named beside the violation that they are', () => {
  const random = seeded(seed);
  for (const chosen of [(turn: number) => turn, () => Math.floor(random() * 2)]) {
    const { changes } = examineVerdicts(traceOf(processes(2, chosen)));
    expect(changes).toEqual([expect.stringContaining('several processes or nodes')]);
  }
});

it('one process is not, whether it is started again or not', () => {
  expect(countedApart(caseOf(traceOf(processes(1, () => 0))))).toEqual([]);
  const started = processes(2, (turn) => (turn < 150 ? 0 : 1));
  expect(countedApart(caseOf(traceOf(started)))).toEqual([]);
});
