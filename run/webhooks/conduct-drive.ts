import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { systemClock } from '../../checks/clock.ts';
import { type DriveEvent, driveReceiver } from '../../checks/webhooks/drive/drive-receiver.ts';
import type { Pace } from '../../checks/webhooks/drive/pace.ts';
import { milliseconds } from '../../contract/quantities.ts';
import type { Transport } from '../../contract/transport.ts';
import { type DriveCase, deliveriesIn, groups, needsMet } from '../../contract/webhooks/drive/case.ts';
import {
  type DriveHeader,
  type DriveLine,
  driveTraceSchemaVersion,
} from '../../contract/webhooks/drive/trace.ts';
import { judgeAndReport } from '../judge/judge-file.ts';
import type { JudgedTrace } from '../judge/judged.ts';
import { documentAlone } from '../judge/judging.ts';
import { traceFileName } from '../judge/trace-file.ts';
import { type Display, type Progress, type ProgressEvent, pendingRow } from '../progress/progress.ts';
import { openRecorder } from '../record/recorder.ts';
import { inRunDirectory } from '../record/run-directory.ts';
import { hideKeys, secretKeys, withoutSecrets } from '../record/without-keys.ts';
import type { RunContext } from '../run-context.ts';
import { type HeaderValues, headerSecrets } from '../target/secret-headers.ts';
import type { Secrets } from '../target/take-secrets.ts';
import { proxySecrets } from '../target/transport/proxy-secrets.ts';
import { transportLines } from '../target/transport/transport-text.ts';
import { tool } from '../version.ts';
import { candidatesFor } from './candidates.ts';

/** What is to be driven, and how. */
export type DriveSpec = Pick<DriveHeader, 'secretEnv' | 'budgetMs' | 'effectsWaitMs' | 'burst'> & {
  readonly target: URL;
  readonly effects: URL | null;
  /** How requests get to both. */
  readonly transport: Transport;
  readonly secrets: Secrets;
  /** Headers of every delivery that must not be written anywhere. */
  readonly secretHeaders: HeaderValues;
  readonly cases: readonly DriveCase[];
  /** Answers that may be awaited at a time where the receiver is slow. */
  readonly atATimeMax: number;
  /** Folder in which the run gets one of its own. */
  readonly out: string;
};

/** What a drive needs of the process around it. */
export type DriveContext = Pick<RunContext, 'cwd' | 'signal' | 'session'> & {
  /** Called once, before anything is sent; shows the drive from then on. */
  readonly onBegin: (begun: BegunDrive) => Display;
};

/** A drive that is about to send. */
export type BegunDrive = {
  readonly header: DriveHeader;
  readonly cases: readonly DriveCase[];
  /** How requests get to the receiver. */
  readonly transport: Transport;
  /** Where it is written down. */
  readonly directory: string;
  /** The rows of its progress, in the order in which they are shown. */
  readonly rows: Progress;
};

export type ConductedDrive =
  | { readonly kind: 'reported'; readonly judged: JudgedTrace<'drive'> }
  | { readonly kind: 'interrupted'; readonly traceFile: string };

/** One whole drive: says what it will send, sends it, saves the trace, judges what was saved, saves the reports. */
export async function conductDrive(spec: DriveSpec, context: DriveContext): Promise<ConductedDrive> {
  hideKeys(context.session, [
    ...secretKeys(spec.secrets),
    ...headerSecrets(spec.secretHeaders),
    ...proxySecrets(spec.transport),
  ]);
  const startedAtMs = systemClock.nowMs();
  return inRunDirectory(resolve(context.cwd, spec.out), startedAtMs, async (directory) => {
    const traceFile = join(directory, traceFileName);
    await sendAndSave({ spec, context, directory, traceFile, startedAtMs });
    if (context.signal.aborted) return { kind: 'interrupted', traceFile };
    return { kind: 'reported', judged: await judgeAndReport('drive', traceFile, documentAlone) };
  });
}

type Drive = {
  readonly spec: DriveSpec;
  readonly context: DriveContext;
  readonly directory: string;
  readonly traceFile: string;
  readonly startedAtMs: number;
};

/** The trace gets its last line whatever happens: what went wrong is in it. */
async function sendAndSave(drive: Drive): Promise<void> {
  const { spec, context, directory, traceFile } = drive;
  const { cases, secrets, secretHeaders, transport } = spec;
  const header = headerOf(drive);
  const { nowMs } = systemClock;
  const remove = context.session.removeKeys;
  const recorder = openRecorder<DriveLine>({ path: traceFile, header, remove, nowMs });
  context.session.traceFile = traceFile;
  const sent = cases.filter((one) => needsMet(one, header));
  const display = context.onBegin({ header, cases, transport, directory, rows: rowsOf(sent, header) });
  for (const line of transportLines(transport)) recorder.note(`requests go to the receiver ${line}`);
  const showing = rowsShown(sent, (event) => display.show(event));
  let reason: string | null = 'an error of this program broke the run off';
  try {
    const outcome = await driveReceiver({
      header,
      cases,
      transport,
      secrets,
      secretHeaders,
      wrongSecret: randomBytes(24).toString('hex'),
      candidates: (request) => candidatesFor(secrets[0], request),
      userAgent: `${tool.name}/${tool.version} run/${header.runId}`,
      atATimeMax: spec.atATimeMax,
      clock: systemClock,
      signal: context.signal,
      onLine: (line) => recorder.write(withoutSecrets(line, remove)),
      onNote: recorder.note,
      onEvent: (event) => {
        if (event.kind === 'paced') recorder.note(paceText(event.pace));
        showing(event);
      },
    });
    reason = outcome.reason;
  } finally {
    recorder.end({ reason });
    await display.close();
  }
}

function headerOf({ spec, startedAtMs }: Drive): DriveHeader {
  const { secretEnv, budgetMs, effectsWaitMs, burst } = spec;
  return {
    kind: 'webhook-drive',
    schemaVersion: driveTraceSchemaVersion,
    tool,
    runId: randomBytes(4).toString('hex'),
    startedAt: new Date(startedAtMs).toISOString(),
    target: spec.target.href,
    secretEnv,
    effects: spec.effects?.href ?? null,
    budgetMs,
    effectsWaitMs,
    burst,
    cases: spec.cases.map(({ id }) => id),
  };
}

function rowsOf(cases: readonly DriveCase[], header: DriveHeader) {
  return groups
    .map((group) => ({ group, of: cases.filter((one) => one.group === group) }))
    .filter(({ of }) => of.length > 0)
    .map(({ group, of }) =>
      pendingRow(
        group,
        of.reduce((sum, one) => sum + deliveriesIn(one, header), 0),
      ),
    );
}

/** Shows the events of a drive in the rows of their groups; a row ends with the last case of its group. */
function rowsShown(cases: readonly DriveCase[], show: (event: ProgressEvent) => void) {
  const groupOf = new Map<string, string>(cases.map(({ id, group }) => [id, group]));
  const left = new Map<string, number>();
  for (const { group } of cases) left.set(group, (left.get(group) ?? 0) + 1);
  let row = '';
  return (event: DriveEvent): void => {
    switch (event.kind) {
      case 'case':
        row = event.one.group;
        show({ kind: 'doing', row, text: 'sending' });
        return;
      case 'case-ended': {
        const { group } = event.one;
        left.set(group, (left.get(group) ?? 1) - 1);
        if (left.get(group) === 0) show({ kind: 'ended', row: group, state: 'done', text: 'sent' });
        return;
      }
      case 'delivered': {
        const outcome = event.line.status === null ? 'indeterminate' : 'admitted';
        // What was sent to find out how the receiver works belongs to no case.
        const group = groupOf.get(event.line.case);
        if (group !== undefined) show({ kind: 'answered', row: group, outcome });
        return;
      }
      case 'paced':
        show({ kind: 'doing', row, text: paceText(event.pace) });
        return;
      case 'waiting':
        show({ kind: 'waiting', row, why: event.why, untilMs: event.untilMs });
        return;
      default:
        event satisfies never;
    }
  };
}

/** How long a drive will take, by the answer to its first event. */
function paceText({ latencyMs, atATime, expectedMs }: Pace): string {
  const many = atATime === 1 ? 'one case after the other' : `${atATime} at a time`;
  return `takes about ${Math.ceil(expectedMs / 1_000)} s: the first answer took ${milliseconds(latencyMs)}, ${many}`;
}
