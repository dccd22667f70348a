import type { BurstMeasure, GroupMeasure } from '../../contract/judgement.ts';
import { milliseconds, seconds } from '../../contract/quantities.ts';
import { groupName } from '../group-name.ts';
import { leftOutText, limiterText, measuredWindowText } from '../measured-text.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { shownGroups } from '../shown-groups.ts';
import { type Layout, labelled, wrap } from './layout.ts';
import { tableLines } from './table.ts';

/** What was counted and measured: the window of each key and scope, the bursts, and notes. */
export function measures(report: Report, layout: Layout): readonly string[] {
  return [...groupLines(report, layout), ...burstLines(report.bursts, layout), ...noteLines(report, layout)];
}

const groupHead = ['scope', 'key', 'sent', 'admitted', 'limited', 'other', 'p50', 'p99', 'measured window'];

function groupLines(report: Report, layout: Layout): readonly string[] {
  const { groups, identified } = report;
  if (groups.length === 0) return [];
  const { shown, rest } = shownGroups(groups, report);
  const rows = shown.map((group) => [
    group.scope,
    plainText(group.key, 12),
    String(group.sent),
    String(group.admitted),
    String(group.limited),
    String(group.refused + group.indeterminate),
    group.latencyMs === null ? '-' : milliseconds(group.latencyMs.p50),
    group.latencyMs === null ? '-' : milliseconds(group.latencyMs.p99),
    measuredWindowText(group, identified),
  ]);
  const lines = tableLines([groupHead, ...rows], {
    alignments: ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'right', 'left'],
  });
  return ['', layout.paint('heading', 'Measured'), ...lines, ...restLine(rest)];
}

function restLine(rest: readonly GroupMeasure[]): readonly string[] {
  if (rest.length === 0) return [];
  const sum = (count: (group: GroupMeasure) => number): number =>
    rest.reduce((total, group) => total + count(group), 0);
  const other = sum((group) => group.refused + group.indeterminate);
  return [
    `and ${rest.length} more: ${sum(({ sent }) => sent)} sent, ${sum(({ admitted }) => admitted)} admitted, ` +
      `${sum(({ limited }) => limited)} limited, ${other} other`,
  ];
}

function burstLines(bursts: readonly BurstMeasure[], layout: Layout): readonly string[] {
  if (bursts.length === 0) return [];
  const labelWidth = Math.max(...bursts.map(({ scenario }) => scenario.length));
  const lines = bursts.flatMap((burst) =>
    labelled(plainText(burst.scenario, 40), burstText(burst), {
      columns: layout.columns,
      indent: 0,
      labelWidth,
    }),
  );
  return ['', layout.paint('heading', 'Load (k6)'), ...lines];
}

function burstText({
  state,
  reason,
  key,
  sent,
  admitted,
  limited,
  unexpected,
  spanMs,
}: BurstMeasure): string {
  const why = reason === null ? '' : `: ${plainText(reason, 600)}`;
  if (state === 'not-run') return `not run${why}`;
  const counts = `${sent} sent, ${admitted} admitted, ${limited} limited, ${unexpected} unexpected`;
  const span = spanMs === null ? '' : ` in ${milliseconds(spanMs)}`;
  const whose = key === null ? '' : `key ${key}: `;
  return `${whose}${counts}${span}${state === 'complete' ? '' : `; incomplete${why}`}`;
}

function noteLines(report: Report, layout: Layout): readonly string[] {
  if (report.notes.length === 0) return [];
  const startMs = Date.parse(report.startedAt);
  const lines = report.notes.flatMap(({ atMs, text }) =>
    labelled(`+${seconds(Math.max(0, atMs - startMs), 1)}`, plainText(text, 600), {
      columns: layout.columns,
      indent: 0,
      labelWidth: 8,
    }),
  );
  return ['', layout.paint('heading', 'Notes'), ...lines];
}

/** Which limiter explains the answers, for each scope and key. */
export function identifiedLines(report: Report, layout: Layout): readonly string[] {
  const { identified } = report;
  if (identified.length === 0) return [];
  const lines = identified.flatMap((group) =>
    labelled(groupName(group), limiterText(group), {
      columns: layout.columns,
      indent: 0,
      labelWidth: 15,
    }),
  );
  const more = leftOutText(report);
  return [
    '',
    layout.paint('heading', 'Limiter found'),
    ...lines,
    ...(more === null ? [] : wrap(more, layout.columns)),
  ];
}
