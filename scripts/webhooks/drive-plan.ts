import { type DriveCase, deliveriesOf, isBurst, needsMet } from '../../contract/webhooks/drive/case.ts';
import type { DriveHeader } from '../../contract/webhooks/drive/trace.ts';
import { burstEvents } from '../../judge/webhooks/drive/burst.ts';
import { shownPath } from '../shown-path.ts';
import { tool } from '../version.ts';

/** How many deliveries a case sends. */
export function deliveriesIn(one: DriveCase, { burst }: Pick<DriveHeader, 'burst'>): number {
  return isBurst(one) ? burstEvents(burst) : deliveriesOf(one).length;
}

export type PlanInput = {
  readonly header: DriveHeader;
  readonly cases: readonly DriveCase[];
  readonly directory: string;
  readonly cwd: string;
};

/** The first lines of a drive: what is sent where, how fast, and where it is written down. */
export function drivePlan({ header, cases, directory, cwd }: PlanInput): readonly string[] {
  const sent = cases.filter((one) => needsMet(one, header));
  const count = sent.reduce((sum, one) => sum + deliveriesIn(one, header), 0);
  const { eventsPerSecond, seconds } = header.burst;
  const burst = sent.some(isBurst) ? `; the burst is ${eventsPerSecond} a second for ${seconds} s` : '';
  const effects = cases.filter(({ needs }) => needs === 'effects').length;
  return [
    `${tool.name} ${tool.version}, run ${header.runId}: drives a webhook receiver`,
    `target   ${header.target}`,
    `secret   ${header.secretEnv.join(', and while it is rotated ')}`,
    `effects  ${header.effects ?? `not told, so that ${effects} cases are not assessed (--effects <url>)`}`,
    `plan     ${sent.length} cases, ${count} deliveries${burst}; an answer has ${header.budgetMs / 1_000} s`,
    `saving   ${shownPath(directory, cwd)}/`,
    '',
  ];
}
