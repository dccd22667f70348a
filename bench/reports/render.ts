import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parseTrace } from '../../contract/trace.ts';
import { groupsOf } from '../../judge/entries.ts';
import { picturesOf } from '../../judge/pictures/pictures.ts';
import { renderBadge } from '../../reports/badge.ts';
import { buildReport } from '../../reports/build-report.ts';
import { renderJunit } from '../../reports/junit.ts';
import { renderMarkdown } from '../../reports/markdown.ts';
import { bundlePage } from '../../reports/page/bundle-page.ts';
import { renderReportPage } from '../../reports/page/report-page.ts';
import { formatReport } from '../../reports/result.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import type { JudgedAndIdentified } from './judge.ts';

/** What a process of its own took to render every report of one trace. */
export type RenderCost = {
  /** The series of the pictures, and all reports from them, written to files. */
  readonly renderSeconds: number;
  /** The same in CPU time of this process, whatever else the machine does; without that of esbuild's. */
  readonly cpuSeconds: number;
  /** Of the whole process, the trace in it. */
  readonly peakMegabytes: number;
  readonly pageBytes: number;
  readonly reportBytes: number;
};

const [tracePath = '', judgedPath = '', folder = ''] = process.argv.slice(2);
const trace = parseTrace(await readFile(tracePath, 'utf8'));
const { judgement, identified } = JSON.parse(await readFile(judgedPath, 'utf8')) as JudgedAndIdentified;
const began = performance.now();
const cpuBefore = process.cpuUsage();
const { pictures } = picturesOf({ trace, groups: groupsOf(trace), judgement, identified });
const judgedAt = '2026-01-01T03:00:00.000Z';
const report = buildReport({ trace, judgement, identified, pictures, judgedAt });
const page = renderReportPage({ report, faults: [], past: [] }, await bundlePage());
const json = formatReport(report);
await writeFile(join(folder, 'report.json'), json);
await writeFile(join(folder, 'report.html'), page);
await writeFile(join(folder, 'junit.xml'), renderJunit(report));
await writeFile(join(folder, 'summary.md'), renderMarkdown(report));
await writeFile(join(folder, 'badge.json'), renderBadge(report));
await writeFile(join(folder, 'report.txt'), renderTerminal(report, { columns: 80, colour: 'never' }));
const cpu = process.cpuUsage(cpuBefore);
const rendered: RenderCost = {
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  renderSeconds: (performance.now() - began) / 1_000,
  // Linux counts in kilobytes.
  peakMegabytes: process.resourceUsage().maxRSS / 1_000,
  pageBytes: Buffer.byteLength(page),
  reportBytes: Buffer.byteLength(json),
};
process.stdout.write(`${JSON.stringify(rendered)}\n`);
