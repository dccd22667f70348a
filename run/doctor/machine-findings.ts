import type { Deployment } from '../../contract/deployment.ts';
import { scopes } from '../../contract/scopes.ts';
import { bytesText } from '../plan/plan-text.ts';
import type { RunPlan } from '../plan/run-plan.ts';
import { type Finding, finding } from './finding.ts';
import type { Folder, Machine } from './machine.ts';

/** What a run needs of this machine. */
export type MachineNeeds = { readonly deployment: Deployment; readonly plan: RunPlan };

export function machineFindings(machine: Machine, needs: MachineNeeds): readonly Finding[] {
  const bytes = bytesNeeded(needs.plan);
  const files = filesNeeded(needs);
  const { openFilesMax } = machine;
  return [
    folderFinding('temporary', machine.temporary, bytes, 'Set TMPDIR to another.'),
    folderFinding('runs', machine.out, bytes, 'Choose another place with --out.'),
    ...(openFilesMax === null
      ? []
      : [
          openFilesMax < files
            ? finding(
                'bad',
                'open files',
                `${openFilesMax} at once, and a run opens about ${files}: raise it (ulimit -n ${2 * files})`,
              )
            : finding('good', 'open files', `${openFilesMax} at once; a run opens about ${files}`),
        ]),
  ];
}

function folderFinding(
  about: string,
  { path, problem, freeBytes }: Folder,
  bytes: number,
  fix: string,
): Finding {
  if (problem !== null) return finding('bad', about, `${path}: ${problem}. ${fix}`);
  if (freeBytes === null) return finding('good', about, path);
  return freeBytes < bytes
    ? finding(
        'bad',
        about,
        `${path}: ${bytesText(freeBytes)} free, and a run may write ${bytesText(bytes)}. ${fix}`,
      )
    : finding(
        'good',
        about,
        `${path}, ${bytesText(freeBytes)} free; a run writes at most ${bytesText(bytes)}`,
      );
}

/** A line when a request leaves and one when it is answered, and what is rendered from them. */
const bytesPerRequest = 3_000;
const bytesOfReports = 5_000_000;

function bytesNeeded({ requestsMax }: RunPlan): number {
  return bytesOfReports + requestsMax * bytesPerRequest;
}

/** Modules, pipes, files of a run. */
const filesBeside = 64;

/** The larger of what Node and k6 open, each a process of its own. */
function filesNeeded({ deployment, plan }: MachineNeeds): number {
  const { connectionsPerScope, baseUrls } = deployment;
  const own = connectionsPerScope * scopes.length * baseUrls.length;
  const ofK6 = plan.load.map(({ planned }) => planned.peakRequestsPerSecond);
  return filesBeside + Math.max(own, ...ofK6);
}
