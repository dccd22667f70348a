import type { Target } from '../settings/open-target.ts';
import { shownPath } from '../shown-path.ts';
import { tool } from '../version.ts';
import { planText, type RunPlan } from './run-plan.ts';

export type AnnouncementInput = {
  readonly target: Target;
  readonly plan: RunPlan;
  readonly runId: string;
  readonly directory: string;
  readonly cwd: string;
};

/** The first lines of a run: who sends how much where, how fast, and where it is written down. */
export function announcement({ target, plan, runId, directory, cwd }: AnnouncementInput): readonly string[] {
  const { deployment, origin } = target;
  const name = deployment.name === undefined ? '' : ` (${deployment.name})`;
  const [sum = '', ...details] = planText(plan);
  return [
    `${tool.name} ${tool.version}, run ${runId}; ${origin}`,
    `target  ${deployment.baseUrls.join(', ')}${name}`,
    `plan    ${sum}`,
    ...details.map((line) => `        ${line}`),
    `saving  ${shownPath(directory, cwd)}/`,
    '',
  ];
}
