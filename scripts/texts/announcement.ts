import { deliveriesIn, isBurst, needsMet } from '../../contract/webhooks/drive/case.ts';
import { planText } from '../../run/plan/plan-text.ts';
import type { Begun } from '../../run/run-context.ts';
import { shownPath } from '../../run/shown-path.ts';
import { transportLines, waitLines } from '../../run/target/transport/transport-text.ts';
import { tool } from '../../run/version.ts';
import type { BegunDrive } from '../../run/webhooks/conduct-drive.ts';

/** The first lines of a run: what it sends where and how fast, and where it is saved. */
export function runAnnouncement({ target, plan, runId, directory }: Begun, cwd: string): readonly string[] {
  const { deployment, transport, origin } = target;
  const name = deployment.name === undefined ? '' : ` (${deployment.name})`;
  const [sum = '', ...details] = planText(plan);
  return [
    `${tool.name} ${tool.version}, run ${runId}; ${origin}`,
    `target  ${deployment.baseUrls.join(', ')}${name}`,
    ...[...transportLines(transport), ...waitLines(target.waitSeconds, deployment)].map(
      (line) => `        ${line}`,
    ),
    `plan    ${sum}`,
    ...details.map((line) => `        ${line}`),
    `saving  ${shownPath(directory, cwd)}/`,
    '',
  ];
}

/** The first lines of a drive: what it sends where and how fast, and where it is saved. */
export function driveAnnouncement(
  { header, cases, transport, directory }: Omit<BegunDrive, 'rows'>,
  cwd: string,
): readonly string[] {
  const sent = cases.filter((one) => needsMet(one, header));
  const count = sent.reduce((sum, one) => sum + deliveriesIn(one, header), 0);
  const { eventsPerSecond, seconds } = header.burst;
  const burst = sent.some(isBurst)
    ? `; the burst has ${eventsPerSecond} events a second for ${seconds} s`
    : '';
  const effects = cases.filter(({ needs }) => needs === 'effects').length;
  return [
    `${tool.name} ${tool.version}, run ${header.runId}: drives a webhook receiver`,
    `target   ${header.target}`,
    ...transportLines(transport).map((line) => `         ${line}`),
    `secret   ${header.secretEnv.join(', and during the rotation ')}`,
    `effects  ${header.effects ?? `not known: ${effects} cases are not assessed (--effects <url>)`}`,
    `plan     ${sent.length} cases, ${count} deliveries${burst}; an answer may take ${header.budgetMs / 1_000} s`,
    `saving   ${shownPath(directory, cwd)}/`,
    '',
  ];
}
