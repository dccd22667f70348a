import { plainText } from '../plain-text.ts';
import { type Layout, labelled, wrap } from '../terminal/layout.ts';
import { verdictTone } from '../verdict-text.ts';
import { caseWord, failureLines, quotedLines } from './case-text.ts';
import type { CaseResult } from './drive-result.ts';

/** Failed cases that one cause explains, in the order of the report. */
type FailureGroup = readonly [CaseResult, ...CaseResult[]];

/** All failures, then all shortcomings: what has one cause is told once. A group with a failure is one. */
export function failureSections(cases: readonly CaseResult[], layout: Layout): readonly string[] {
  const byCause = Map.groupBy(
    cases.filter(({ verdict }) => verdict.kind === 'violated'),
    ({ verdict }) => (verdict.kind === 'violated' ? verdict.likely : ''),
  );
  const groups = [...byCause.values()].flatMap(([first, ...others]): readonly FailureGroup[] =>
    first === undefined ? [] : [[first, ...others]],
  );
  const decides = (group: FailureGroup): boolean => group.some(({ level }) => level === 'must');
  return [
    ...section('Failed', groups.filter(decides), layout),
    ...section(
      'Shortcomings (they do not decide)',
      groups.filter((group) => !decides(group)),
      layout,
    ),
  ];
}

function section(heading: string, groups: readonly FailureGroup[], layout: Layout): readonly string[] {
  if (groups.length === 0) return [];
  return [
    '',
    layout.paint('heading', heading),
    ...groups.flatMap((group) => ['', ...groupLines(group, layout)]),
  ];
}

function groupLines(group: FailureGroup, layout: Layout): readonly string[] {
  const [first] = group;
  const { verdict } = first;
  if (group.length === 1 || verdict.kind !== 'violated') return failureLines(first, layout);
  const cause = `${group.length} cases, one likely cause: ${plainText(verdict.likely, 600)}`;
  const space = { columns: layout.columns, indent: 2, labelWidth: 11 };
  return [
    ...wrap(cause, layout.columns).map((line) => layout.paint(verdictTone(first), line)),
    ...group.flatMap((one) => labelled(caseWord(one), `${one.id}: ${observedIn(one)}`, space)),
    ...quotedLines(verdict.deliveries, verdict.deliveriesTotal, layout),
  ];
}

function observedIn({ verdict }: CaseResult): string {
  return verdict.kind === 'violated' ? plainText(verdict.observed, 300) : '';
}
