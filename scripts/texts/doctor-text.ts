import { columnsMin, type Layout, labelled, wrap } from '../../reports/terminal/layout.ts';
import type { DoctorResult } from '../../run/doctor/conduct-doctor.ts';
import type { Finding, State } from '../../run/doctor/finding.ts';
import type { OpenClauses } from '../../run/doctor/open-clauses.ts';
import { planLines } from '../../run/plan/plan-text.ts';

const words: Readonly<Record<State, string>> = { good: 'ok', note: 'note', bad: 'PROBLEM' };
const tones = { good: 'good', note: 'open', bad: 'bad' } as const;
const wordWidth = 7;
const aboutWidth = 15;

/** One finding, in lines. */
export function findingLines({ state, about, text }: Finding, layout: Layout): readonly string[] {
  const label = `${words[state].padEnd(wordWidth)}  ${about.padEnd(aboutWidth)}`;
  const [first = '', ...others] = labelled(label, text, {
    columns: layout.columns,
    indent: 0,
    labelWidth: wordWidth + aboutWidth + 2,
  });
  const word = words[state];
  return [layout.paint(tones[state], word) + first.slice(word.length), ...others];
}

/** What follows the findings: what stays open, what a run costs, and whether it can begin. */
export function examinedLines(examined: DoctorResult, layout: Layout): readonly string[] {
  const { open, plan } = examined;
  return [
    ...(open.length === 0
      ? []
      : [
          '',
          layout.paint('heading', 'A run will leave open'),
          ...open.flatMap((one) => openLines(one, layout)),
        ]),
    '',
    layout.paint('heading', 'A run costs'),
    ...planLines(plan)
      .flatMap((line) => wrap(line, layout.columns - 2))
      .map((line) => `  ${line}`),
    '',
    ...lastLines(examined, layout),
  ];
}

function openLines({ clauses, why }: OpenClauses, { columns }: Layout): readonly string[] {
  const text = clauses.length === 0 ? why : `${clauses.join(', ')}: ${why}`;
  return wrap(text, Math.max(columnsMin, columns) - 2).map((line) => `  ${line}`);
}

/** What a run has to do with the places that were taken. */
const usedText: Readonly<Record<DoctorResult['tookPlaces'], string>> = {
  none: '',
  told: ' They took places in the windows: a run that begins within a window from now waits until these are idle again.',
  untold:
    ' They took places in the windows, of which no run is told: begin one once a window is over from now.',
};

function lastLines(examined: DoctorResult, layout: Layout): readonly string[] {
  const { findings, open, requests, tookPlaces, isReady } = examined;
  const problems = findings.filter(({ state }) => state === 'bad').length;
  const undecided = open.filter(({ decides }) => decides).length;
  const counts = [
    ...(problems === 0 ? [] : [`${problems} ${problems === 1 ? 'problem' : 'problems'}`]),
    ...(undecided === 0
      ? []
      : [`${undecided} of what a verdict needs ${undecided === 1 ? 'stays' : 'stay'} open`]),
  ];
  const sent = `${requests} ${requests === 1 ? 'request was' : 'requests were'} sent.`;
  const verdict = isReady
    ? layout.paint('good', layout.paint('heading', 'READY'))
    : `${layout.paint('bad', layout.paint('heading', 'NOT READY'))}: ${counts.join(', ')}`;
  return [...wrap(`${sent}${usedText[tookPlaces]}`, layout.columns), verdict];
}
