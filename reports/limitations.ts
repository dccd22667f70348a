import { notWanted } from '../contract/clauses/load.ts';
import { noKeySent } from '../contract/clauses/shared.ts';
import { plainText } from './plain-text.ts';
import type { Report } from './result.ts';

/**
 * What a reader has to know beside the verdict, a sentence each: what most likely changed meanwhile, since it may explain all
 * the rest, and what the run does not prove.
 */
export function remarks(report: Report): readonly string[] {
  // It may quote what a target said of itself.
  const likely = report.likelyChanges
    .map((text) => plainText(text, 600))
    .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  return [...likely, ...limitations(report)];
}

/** What a run does not prove, whatever its verdict is: a sentence each. */
function limitations({ mode, window, counts, clauses }: Report): readonly string[] {
  const length =
    `The window was ${window.ms / 1_000} s, not the documented ${window.documentedMs / 1_000} s: ` +
    'this proves nothing about the documented one.';
  const notRun = counts.must['not-applicable'];
  const left = `${notRun} ${notRun === 1 ? 'clause was' : 'clauses were'} not run`;
  const light = `Light run: ${left}; it proves nothing about the limits.`;
  const unplayed = clauses.flatMap(({ id, level, verdict }) =>
    level === 'must' && verdict.kind === 'not-applicable' && id.startsWith('load.')
      ? [{ scenario: id.slice('load.'.length), why: verdict.reason }]
      : [],
  );
  const ofKeys = clauses.filter(
    ({ level, verdict }) =>
      level === 'must' && verdict.kind === 'not-applicable' && verdict.reason === noKeySent,
  );
  const others = notRun - unplayed.length - ofKeys.length;
  const impossible = unplayed.filter(({ why }) => why !== notWanted);
  const scenarios = unplayed.length - impossible.length;
  // The command "load" takes the names of scenarios, the command "run" this option.
  const all = mode === 'load' ? 'conformance load all' : '--load all';
  const partial = [
    ...(others === 0
      ? []
      : [
          `${others} ${others === 1 ? 'clause was' : 'clauses were'} not run: the verdict is about the others alone.`,
        ]),
    ...(scenarios === 0
      ? []
      : [
          `${scenarios} load ${scenarios === 1 ? 'scenario was' : 'scenarios were'} left out: ${all} runs them.`,
        ]),
    ...impossible.map(({ scenario, why }) => `The load scenario ${scenario} was not run: ${why}.`),
  ];
  return [...(window.isDocumented ? [] : [length]), ...(mode === 'light' ? [light] : partial)];
}
