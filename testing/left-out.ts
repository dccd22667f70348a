import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { type Need, needs } from './needs.ts';

/** Beside Vitest's own: says in one last line what the run left out, and how that is had. */
export function leftOutReporter(): Reporter {
  let vitest: Vitest | null = null;
  return {
    onInit: (running) => {
      vitest = running;
    },
    onTestRunEnd: (modules) => {
      // Of tests that a name was not asked for nothing is left out.
      const isSelection = vitest?.config.testNamePattern !== undefined;
      const text = leftOutText(lackedIn(modules, isSelection ? 'those with a reason' : 'all'));
      if (text !== null) vitest?.logger.log(text);
    },
  };
}

/** What each test that did not run needs; `null` where it gives no reason. */
type Lacked = readonly (Need | null)[];

/** A test that leaves itself out for a reason of its own, as the checks do, has said it. */
function lackedIn(modules: readonly TestModule[], which: 'all' | 'those with a reason'): Lacked {
  return modules.flatMap((module) =>
    [...module.children.allTests('skipped')].flatMap((test) => {
      const { lacks } = test.meta();
      if (lacks !== undefined) return [lacks];
      const result = test.result();
      const hasNote = result.state === 'skipped' && result.note !== undefined;
      return hasNote || which === 'those with a reason' ? [] : [null];
    }),
  );
}

/** One line; `null` where every test ran. */
export function leftOutText(lacked: Lacked): string | null {
  if (lacked.length === 0) return null;
  const parts = (Object.keys(needs) as Need[])
    .map((need) => ({ ...needs[need], count: lacked.filter((one) => one === need).length }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count)
    .map(
      ({ name, how, count }) =>
        `${count} need${count === 1 ? 's' : ''} ${name}${how === null ? '' : ` (${how})`}`,
    );
  const others = lacked.filter((need) => need === null).length;
  if (others > 0) parts.push(`${others} give${others === 1 ? 's' : ''} no reason`);
  return `${lacked.length} test${lacked.length === 1 ? '' : 's'} did not run: ${parts.join(', ')}.`;
}
