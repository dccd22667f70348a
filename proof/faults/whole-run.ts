import { deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { SimulatedService } from '../simulation/simulate.ts';
import { opening, simulatedTrace } from '../simulation/simulated.ts';
import type { SubjectSetting } from './subject.ts';
import { worldOf } from './worlds.ts';

export type WholeRun = { readonly exchanges: readonly Exchange[]; readonly judgement: Judgement };

export type WholeRunOptions = {
  readonly service: SimulatedService;
  readonly setting: SubjectSetting;
  readonly seed: number;
};

/** One whole run in virtual time, judged. */
export function wholeRun({ service, setting, seed }: WholeRunOptions): WholeRun {
  const trace = simulatedTrace(service, worldOf(seed), seed, openingFor(setting));
  return { exchanges: trace.exchanges, judgement: judgeTrace(trace) };
}

function openingFor({ nodes = 1, perSecond }: SubjectSetting) {
  const baseUrls = Array.from({ length: nodes }, (_, at) => `http://127.0.0.1:${at + 1}`);
  const deployment = deploymentSchema.parse({ ...opening.deployment, baseUrls, perSecond });
  return { ...opening, deployment };
}

/** Whether the answers of two runs in the same world differ anywhere. */
export function answersDiffer(left: readonly Exchange[], right: readonly Exchange[]): boolean {
  if (left.length !== right.length) return true;
  return left.some((one, at) => {
    const other = right[at];
    return other === undefined || answerText(one) !== answerText(other);
  });
}

function answerText({ status, headers, retryAfter, date, contentType, body, receivedMs }: Exchange): string {
  const { limit, remaining, reset } = headers;
  return [status, limit, remaining, reset, retryAfter, date, contentType, body, receivedMs].join('\n');
}
