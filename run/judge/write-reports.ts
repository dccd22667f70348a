import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { certificateFolder } from '../../contract/certificate.ts';
import type { TraceKind } from '../../contract/ndjson.ts';
import { renderBadge, renderBadgePicture } from '../../reports/badge.ts';
import { formatClientReport } from '../../reports/clients/client-report.ts';
import { renderDriveJunit } from '../../reports/drive/drive-junit.ts';
import { formatDriveReport } from '../../reports/drive/drive-result.ts';
import type { HistoryLine } from '../../reports/history/history-line.ts';
import { renderJunit } from '../../reports/junit.ts';
import { renderMarkdown } from '../../reports/markdown.ts';
import { bundlePage } from '../../reports/page/bundle-page.ts';
import type { Frontier } from '../../reports/page/frontier.ts';
import { html } from '../../reports/page/html.ts';
import { renderReportPage } from '../../reports/page/report-page.ts';
import { formatReport, type Report } from '../../reports/result.ts';
import { renderDeliveriesPage } from '../../reports/webhooks/page/deliveries-page.ts';
import { renderWebhookJunit } from '../../reports/webhooks/webhook-junit.ts';
import { formatWebhookReport } from '../../reports/webhooks/webhook-result.ts';
import { faults } from '../../service/faults.ts';
import { namingCertificates, writeCertificates } from './certificate-files.ts';
import type { JudgedTrace, Unwritten } from './judged.ts';
import { pageFileName, reportFileName } from './report-file-names.ts';

/** What is made of each kind of trace once it is judged. */
type ByKind<Made> = { readonly [Kind in TraceKind]: (judged: JudgedTrace<Kind>) => Made };

/** A file to write: its name, and what makes its text. */
type FileToWrite = readonly [name: string, text: () => string | Promise<string>];

const formats: ByKind<string> = {
  deployment: ({ report }) => formatReport(report),
  capture: ({ report }) => formatWebhookReport(report),
  drive: ({ report }) => formatDriveReport(report),
  client: ({ report }) => formatClientReport(report),
};

const renderings: {
  readonly [Kind in TraceKind]: (judged: JudgedTrace<Kind>, folder: string) => readonly FileToWrite[];
} = {
  deployment: ({ report, past }) => renderedFrom({ report, past, frontier: null }),
  capture: ({ report, page }, folder) => [
    ['junit.xml', () => renderWebhookJunit(report)],
    deliveriesPage(page, folder),
  ],
  drive: ({ report, page }, folder) => [
    ['junit.xml', () => renderDriveJunit(report)],
    deliveriesPage(page, folder),
  ],
  client: () => [],
};

function deliveriesPage(page: JudgedTrace<'capture'>['page'], folder: string): FileToWrite {
  // Without the path of this machine: the page may go to others.
  const named = join(basename(dirname(folder)), basename(folder));
  return [
    pageFileName,
    () => drawn(async () => renderDeliveriesPage(page(named), (await bundlePage()).style)),
  ];
}

/** The text of `report.json`. */
export function formatJudged<Kind extends TraceKind>(judged: JudgedTrace<Kind>): string {
  return formats[judged.kind](judged);
}

/** What is kept of what was judged beside its report, and the judged with the files of that named. */
const keepers: {
  readonly [Kind in TraceKind]: (folder: string, judged: JudgedTrace<Kind>) => Promise<JudgedTrace<Kind>>;
} = {
  deployment: async (folder, judged) => {
    try {
      await writeCertificates(folder, judged);
    } catch (error) {
      return { ...judged, unwritten: [{ name: certificateFolder, error }] };
    }
    return { ...judged, report: namingCertificates(judged.report, judged.certificates) };
  },
  capture: async (_folder, judged) => judged,
  drive: async (_folder, judged) => judged,
  client: async (_folder, judged) => judged,
};

/**
 * Certificates, `report.json` and all that is rendered from it, into an existing folder; gives the judged with the files
 * of its certificates named, and with those that could not be written: a full disk must not cost the verdict.
 */
export async function writeReports<Kind extends TraceKind>(
  folder: string,
  judged: JudgedTrace<Kind>,
): Promise<JudgedTrace<Kind>> {
  const kept = await keepers[judged.kind](folder, judged);
  const json: FileToWrite = [reportFileName, () => formatJudged(kept)];
  // Before what is rendered from it: it is there whatever becomes of that.
  const unwritten = await writeFiles(folder, [json, ...renderings[kept.kind](kept, folder)]);
  return { ...kept, unwritten: [...(kept.unwritten ?? []), ...unwritten] };
}

/** A report on a deployment, and what its page shows beside it. */
type ReportInHistory = {
  readonly report: Report;
  /** Other runs, of whatever target. */
  readonly past: readonly HistoryLine[];
  /** How a client should back off; `null` where that was not tuned. */
  readonly frontier: Frontier | null;
};

/** All that is rendered from a report on a deployment, into an existing folder; gives what could not be written. */
export async function writeRendered(folder: string, report: ReportInHistory): Promise<readonly Unwritten[]> {
  return writeFiles(folder, renderedFrom(report));
}

function renderedFrom({ report, past, frontier }: ReportInHistory): readonly FileToWrite[] {
  const proving = faults.map(({ name, summary, must }) => ({ name, summary, clauses: must }));
  return [
    ['summary.md', () => renderMarkdown(report)],
    ['badge.json', () => renderBadge(report)],
    ['badge.svg', () => renderBadgePicture(report)],
    ['junit.xml', () => renderJunit(report)],
    [
      pageFileName,
      () =>
        drawn(async () => renderReportPage({ report, faults: proving, past, frontier }, await bundlePage())),
    ],
  ];
}

/** The page, or one that says why there is none: what is drawn must cost no other report, and no verdict. */
async function drawn(page: () => Promise<string>): Promise<string> {
  try {
    return await page();
  } catch (error) {
    return html`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Not drawn</title>
<p>This page could not be drawn (${String(error)}): a mistake of this tool. The verdicts are in summary.md and report.json.</p></html>
`.markup;
  }
}

/** Each that can be written: where the disk has no room for the page, it may have room for the others. */
async function writeFiles(folder: string, files: readonly FileToWrite[]): Promise<readonly Unwritten[]> {
  const unwritten: Unwritten[] = [];
  for (const [name, text] of files) {
    const path = join(folder, name);
    const whole = await text();
    try {
      await writeFile(path, whole);
    } catch (error) {
      unwritten.push({ name, error });
      // A part of a report would be read as all of it.
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
  return unwritten;
}
