import { howMany, milliseconds, seconds } from '../contract/quantities.ts';
import { type ClauseResult, decidingOf } from './clause-result.ts';
import { damageText } from './damage-text.ts';
import { failureText } from './failure-text.ts';
import { groupName, moreGroups } from './group-name.ts';
import { foldedChanges } from './history/folded-changes.ts';
import { remarks } from './limitations.ts';
import { leftOutText, limiterText, measuredWindowText } from './measured-text.ts';
import { outcomeText, type RunOutcome } from './outcome.ts';
import { plainText } from './plain-text.ts';
import type { Report } from './result.ts';
import { shownGroups } from './shown-groups.ts';
import { countsText } from './terminal/verdict-line.ts';
import { evidenceOf, verdictWord } from './verdict-text.ts';
import { otherTexts } from './webhooks/other-texts.ts';

const signs: Readonly<Record<RunOutcome, string>> = {
  conformant: '✅',
  'not-conformant': '❌',
  inconclusive: '⚠️',
  error: '💥',
};

const textCharactersMax = 300;

/**
 * A report in Markdown, short enough for a pull request or a job summary: verdict and changes first.
 * @param page where the page is: beside this text, where a link leads there; or its path, where this text goes elsewhere.
 */
export function renderMarkdown(
  report: Report,
  page: PagePlace = { kind: 'beside', name: 'report.html' },
): string {
  const { deployment, startedAt, runId, tool } = report;
  const target = deployment.name ?? deployment.baseUrls.join(', ');
  const parts = [
    `## ${signs[report.outcome]} ${outcomeText(report)}: rate limits of ${text(target)}`,
    pageLine(page),
    changes(report),
    reasons(report),
    violations(report),
    open(report),
    known(report),
    measured(report),
    `<sub>${text(countsText(report))}; run ${text(runId)}, ${text(startedAt)}, ${seconds(report.durationSeconds * 1_000, 1)}, by ${text(tool.name)} ${text(tool.version)}</sub>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Where the page of a report is, from a text about it. */
export type PagePlace =
  | { readonly kind: 'beside'; readonly name: string }
  | { readonly kind: 'elsewhere'; readonly path: string };

function pageLine(page: PagePlace): string {
  return page.kind === 'beside'
    ? `[The page with all evidence and pictures](${page.name})`
    : `The page with all evidence and pictures: ${code(page.path.replaceAll('`', ''))}`;
}

function changes({ sinceLast }: Report): string {
  if (sinceLast === null)
    return 'This is the first run of its kind: there is no earlier run to compare it with.';
  const since = `since the run of ${text(sinceLast.startedAt)}`;
  if (sinceLast.changes.length === 0) return `Nothing changed ${since}.`;
  const { shown, folded } = foldedChanges(sinceLast.changes);
  const list = (all: readonly string[]): readonly string[] => all.map((change) => `- ${text(change)}`);
  const rest =
    folded.length === 0
      ? []
      : [
          '',
          `<details><summary>${howMany(folded.length, 'more change')}</summary>`,
          '',
          ...list(folded),
          '',
          '</details>',
        ];
  return [`**Changed ${since}:**`, '', ...list(shown), ...rest].join('\n');
}

function reasons(report: Report): string {
  const said = report.outcome === 'conformant' ? [] : report.outcomeReasons;
  const others = report.webhooks === null ? [] : otherTexts(report.webhooks);
  return [...said, ...remarks(report), ...others].map((sentence) => `- ${text(sentence)}`).join('\n');
}

function violations(report: Report): string {
  const accepted = new Set(report.baseline?.known.map(({ clause }) => clause));
  const rows = decidingOf(report).filter(
    ({ id, verdict }) => verdict.kind === 'violated' && !accepted.has(id),
  );
  if (rows.length === 0) return '';
  return table(
    ['clause', 'required', 'expected', 'observed'],
    rows.map((clause) => [failure(clause, report), text(clause.requirement), ...sides(clause)]),
  );
}

/** The breach, what follows from it, and how it is mended. */
function failure(clause: ClauseResult, { deployment }: Report): string {
  const { title, consequence, fix } = failureText(clause, deployment.document);
  const sentences = [
    `**${text(title)}.**`,
    ...(consequence === undefined ? [] : [text(consequence)]),
    ...(fix === undefined ? [] : [`To fix: ${text(fix)}`]),
  ];
  return `${code(clause.id)} ${verdictWord(clause)}: ${sentences.join(' ')}`;
}

function sides(clause: ClauseResult): readonly string[] {
  const { verdict, certificate } = clause;
  if (verdict.kind !== 'violated') return ['', ''];
  const worst = damageText(clause);
  const observed = [
    text(verdict.evidence.observed),
    ...(worst === null ? [] : [`at worst ${text(worst)}`]),
    ...(certificate === undefined ? [] : [`proof: ${code(certificate)}`]),
  ];
  return [text(verdict.evidence.expected), observed.join('; ')];
}

function open(report: Report): string {
  const rows = decidingOf(report).filter(
    ({ level, verdict }) =>
      level === 'must' && (verdict.kind === 'inconclusive' || verdict.kind === 'crashed'),
  );
  if (rows.length === 0) return '';
  return table(
    ['clause', 'why it is open'],
    rows.map(({ id, verdict }) => [code(id), text(evidenceOf(verdict))]),
  );
}

function known({ baseline }: Report): string {
  if (baseline === null || baseline.known.length === 0) return '';
  return table(
    ['known deviation', 'why it is accepted', 'look again by'],
    baseline.known.map(({ clause, reason, until }) => [code(clause), text(reason), until]),
  );
}

function measured(report: Report): string {
  const { groups, identified } = report;
  const full = groups.filter(({ limited }) => limited > 0);
  if (full.length === 0) return '';
  const { shown, rest } = shownGroups(full, report);
  const rows = shown.map((group) => {
    const { scope, key, latencyMs } = group;
    const found = identified.find((one) => one.scope === scope && one.key === key);
    const latency =
      latencyMs === null ? '–' : `${milliseconds(latencyMs.p50)} / ${milliseconds(latencyMs.p99)}`;
    return [
      text(groupName({ scope, key })),
      measuredWindowText(group, identified),
      found === undefined ? '–' : text(limiterText(found)),
      latency,
    ];
  });
  const more = rest.length === 0 ? [] : [`${moreGroups(rest.length)}: see report.json.`];
  return [
    table(['measured', 'window', 'limiter found', 'latency p50 / p99'], rows),
    ...[...more, leftOutText(report)].filter((sentence) => sentence !== null).map(text),
  ].join('\n\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(id: string): string {
  return `\`${id}\``;
}

/** Text that may come from a target: it cannot become markup, a link, a mention or the end of a table cell. */
function text(raw: string): string {
  return plainText(raw, textCharactersMax)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#|~!]/g, '\\$&')
    .replaceAll('@', '&#64;')
    .replaceAll('://', '&#58;//')
    .replaceAll('www.', 'www&#46;');
}
