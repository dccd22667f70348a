import { spawn } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { Command, Option } from 'commander';
import { z } from 'zod';
import { misfitOf, plainWords } from '../../contract/plain-words.ts';
import { messageOf } from '../../contract/thrown.ts';
import { toolEnvironment } from '../../contract/tool-environment.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { renderBadgePicture } from '../../reports/badge.ts';
import { type Frontier, frontierSchema } from '../../reports/page/frontier.ts';
import { type Report, reportSchema } from '../../reports/result.ts';
import { reportSchemaVersion } from '../../reports/schema-version.ts';
import { readHistory } from '../../run/judge/history-file.ts';
import type { Unwritten } from '../../run/judge/judged.ts';
import { pageFileName, reportFileName } from '../../run/judge/report-file-names.ts';
import { savedWebhooks } from '../../run/judge/saved-webhooks.ts';
import { traceFileName } from '../../run/judge/trace-file.ts';
import { writeRendered, writeReports } from '../../run/judge/write-reports.ts';
import { makeFolder } from '../../run/record/run-directory.ts';
import { shownPath } from '../../run/shown-path.ts';
import { takeSecrets } from '../../run/target/take-secrets.ts';
import { defaultHistoryName } from '../options/keeping-options.ts';
import { list } from '../options/values.ts';
import type { CommandIo } from './command-io.ts';

type ReportFlags = {
  readonly runs: string;
  readonly out?: string;
  readonly open?: true;
  readonly badge?: string;
  readonly schema?: true;
  readonly tune?: string;
  readonly secretEnv?: readonly string[];
  /** `false` by `--no-history`. */
  readonly history: string | false;
};

/** `conformance report`: renders everything from a saved report.json again; judges nothing. */
export function reportCommand(io: CommandIo): Command {
  return new Command('report')
    .description('render a saved run again: page, summary, badge, JUnit; judges and sends nothing')
    .argument('[run]', `a ${reportFileName}, or its folder (default: the last run in --runs)`)
    .addOption(
      new Option('--runs <folder>', 'folder in which runs were saved').default('runs').env('CONFORMANCE_OUT'),
    )
    .option('--out <folder>', 'folder for the files (default: that of the report)')
    .addOption(
      new Option('--history <file>', 'file with other runs, for comparison')
        .default(defaultHistoryName)
        .env('CONFORMANCE_HISTORY'),
    )
    .option('--no-history', 'show no other run')
    .option('--tune <file>', 'output of "tune --json", to show how a client should back off')
    .option(
      '--secret-env <names>',
      'environment variable that holds the secret of captured webhooks, for their page; NEW,OLD during a rotation',
      list,
    )
    .option('--badge <file>', 'write the badge, an SVG, to that file too')
    .option('--open', 'open the page in the browser')
    .option('--schema', `write the JSON Schema of ${reportFileName} to standard output, and do nothing else`)
    .action(async (run: string | undefined, flags: ReportFlags) => {
      if (flags.schema === true) {
        io.stdout.write(`${JSON.stringify(z.toJSONSchema(reportSchema), null, 2)}\n`);
        io.exit(0);
        return;
      }
      const where =
        run === undefined ? await lastRun(resolve(io.cwd, flags.runs), io.cwd) : resolve(io.cwd, run);
      const { value, path } = await readReportFile(where);
      const folder = flags.out === undefined ? dirname(path) : resolve(io.cwd, flags.out);
      const secrets = secretsOf(flags, io);
      const webhooks = await savedWebhooks(path, value, secrets);
      const report = webhooks === null ? reportOf(value, path) : null;
      makeFolder(folder);
      const { lines } =
        flags.history === false ? { lines: [] } : await readHistory(resolve(io.cwd, flags.history));
      const frontier = flags.tune === undefined ? null : await readFrontier(resolve(io.cwd, flags.tune));
      if (webhooks !== null) throwFirst((await writeReports(folder, webhooks)).unwritten);
      if (report !== null) throwFirst(await writeRendered(folder, { report, past: lines, frontier }));
      await writeBadge(flags, { report, cwd: io.cwd });
      const page = join(folder, pageFileName);
      io.stdout.write(`${shownPath(page, io.cwd)}\n`);
      io.stderr.write(lacksOf(webhooks, secrets));
      if (flags.open === true && !(await openInBrowser(page))) {
        throw new UsageError('No browser could be started here. Open the page by hand.');
      }
      io.exit(0);
    });
}

/** Nothing else comes of this command: what cannot be written breaks it off. */
function throwFirst([first]: readonly Unwritten[] = []): void {
  if (first !== undefined) throw first.error;
}

/** @throws {UsageError} where the report is on something else than a deployment, or the file cannot be written. */
async function writeBadge(
  { badge }: ReportFlags,
  { report, cwd }: { readonly report: Report | null; readonly cwd: string },
): Promise<void> {
  if (badge === undefined) return;
  if (report === null) throw new UsageError('--badge is for reports on a deployment: leave it out.');
  await writeFile(resolve(cwd, badge), renderBadgePicture(report)).catch((error: unknown) => {
    const why = messageOf(error);
    throw new UsageError(`The badge cannot be written: ${why}.`);
  });
}

function secretsOf({ secretEnv }: ReportFlags, { env }: CommandIo): readonly string[] {
  return secretEnv === undefined ? [] : takeSecrets(secretEnv, env);
}

/** What the page of captured webhooks does not say, although their report was made with the secret. */
function lacksOf(webhooks: Awaited<ReturnType<typeof savedWebhooks>>, secrets: readonly string[]): string {
  if (webhooks?.kind !== 'capture' || webhooks.report.secretsGiven === 0 || secrets.length > 0) return '';
  return 'The page does not say how signatures are computed, nor whether they fit: --secret-env names the variable that holds the secret.\n';
}

/**
 * The folder of the newest run against a deployment that has a report; runs are named by their time.
 * @throws {UsageError} where there is none.
 */
async function lastRun(parent: string, cwd: string): Promise<string> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((one) => one.isDirectory()).map(({ name }) => join(parent, name));
  const newest = folders.toSorted(newestFirst);
  for (const folder of newest) {
    if (await isOfDeployment(join(folder, reportFileName))) return folder;
  }
  throw new UsageError(
    `There is no report in ${shownPath(parent, cwd)}/ yet: a run makes one, or "conformance judge TRACE --out FOLDER". ` +
      `Give a ${reportFileName} or its folder, or name the folder of the runs with --runs.`,
  );
}

/** Webhooks that were captured, or driven, are saved beside the runs, and rendered by other commands. */
async function isOfDeployment(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return z.object({ deployment: z.object({}) }).safeParse(jsonOf(text)).success;
}

/** By their names, which are times; of one second, by the number behind. */
function newestFirst(left: string, right: string): number {
  return right.localeCompare(left, 'en', { numeric: true });
}

/**
 * A saved report on a deployment.
 * @param where the file, or its folder.
 * @throws {UsageError} where it cannot be read; says what makes a readable one.
 */
export async function readReport(where: string): Promise<{ readonly report: Report; readonly path: string }> {
  const { value, path } = await readReportFile(where);
  return { report: reportOf(value, path), path };
}

/** @throws {UsageError} where it cannot be read, or is no JSON. */
async function readReportFile(where: string): Promise<{ readonly value: unknown; readonly path: string }> {
  const found = await stat(where).catch(() => null);
  const path = found?.isDirectory() === true ? join(where, reportFileName) : where;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const why = messageOf(error);
    throw new UsageError(
      `The report cannot be read: ${why}. Give the path of a ${reportFileName}, or of its folder.`,
    );
  });
  try {
    return { value: JSON.parse(text), path };
  } catch {
    throw new UsageError(`${path} is not JSON. ${judgeText(path)}`);
  }
}

function judgeText(path: string): string {
  return `"conformance judge ${dirname(path)} --out FOLDER" makes one from a ${traceFileName}.`;
}

/** @throws {UsageError} where it is no report on a deployment. */
function reportOf(value: unknown, path: string): Report {
  const parsed = reportSchema.safeParse(value, plainWords());
  if (parsed.success) return parsed.data;
  const version = z.object({ schemaVersion: z.number() }).safeParse(value);
  if (version.success && version.data.schemaVersion !== reportSchemaVersion) {
    throw new UsageError(
      `${path} has schema version ${version.data.schemaVersion}, this program reads ${reportSchemaVersion}. ${judgeText(path)}`,
    );
  }
  throw new UsageError(`${path} is not the report of a run: ${misfitOf(parsed.error)}. ${judgeText(path)}`);
}

async function readFrontier(path: string): Promise<Frontier> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const why = messageOf(error);
    throw new UsageError(`What tuning found cannot be read: ${why}.`);
  });
  const parsed = z.object({ frontier: frontierSchema }).safeParse(jsonOf(text));
  if (parsed.success) return parsed.data.frontier;
  throw new UsageError(`${path} is not what "conformance tune --json" writes.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file in its default program; `false` where this machine has none. */
function openInBrowser(path: string): Promise<boolean> {
  const [command = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const env = toolEnvironment(process.env);
    const child = spawn(command, [...args, path], { env, stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
