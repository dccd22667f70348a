import { planText } from '../../run/plan/run-plan.ts';
import type { Begun } from '../../run/run-context.ts';
import { shownPath } from '../../run/shown-path.ts';
import { tool } from '../../run/version.ts';

/** The first lines of a run: who sends how much where, how fast, and where it is written down. */
export function runAnnouncement({ target, plan, runId, directory }: Begun, cwd: string): readonly string[] {
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
