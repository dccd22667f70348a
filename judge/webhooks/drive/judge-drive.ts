import { unlessCrashed } from '../../../contract/judgement.ts';
import { awaitedIn, type DriveCase } from '../../../contract/webhooks/drive/case.ts';
import { refusalsCase } from '../../../contract/webhooks/drive/cases/forged.ts';
import { unannouncedCase } from '../../../contract/webhooks/drive/cases/tolerated.ts';
import { driveCases } from '../../../contract/webhooks/drive/registry.ts';
import type { DriveTrace } from '../../../contract/webhooks/drive/trace.ts';
import type {
  CaseJudgement,
  DriveJudgement,
  DriveVerdict,
} from '../../../contract/webhooks/drive/verdict.ts';
import { burstOf } from './burst.ts';
import { judgeAnswers, judgeRefusals, judgeUnannounced } from './judge-answers.ts';
import { judgeEffects } from './judge-effects.ts';
import { withSharedCauses } from './shared-causes.ts';
import { openCase } from './verdicts.ts';

type CaseVerdict = CaseJudgement['verdict'];

/** Judges every case by what was saved. Pure: the same trace gives the same judgement. */
export function judgeDrive(trace: DriveTrace): DriveJudgement {
  const judged = new Map<string, CaseVerdict>();
  // In the order of the registry a case comes after those that it depends on.
  for (const one of driveCases) {
    const verdict = unlessCrashed(() => judgeCase(one, trace, judged));
    judged.set(one.id, verdict);
  }
  return {
    cases: withSharedCauses([...judged].map(([id, verdict]) => ({ case: id, verdict }))),
    burst: burstOf(trace),
  };
}

function judgeCase(
  one: DriveCase,
  trace: DriveTrace,
  judged: ReadonlyMap<string, CaseVerdict>,
): DriveVerdict {
  const notRun = whyNotRun(one, trace);
  if (notRun !== null) return { kind: 'not-applicable', reason: notRun };
  const because = one.dependsOn.filter((id) => !isSound(judged.get(id)));
  if (because.length > 0)
    return openCase('it proves nothing while a case that it depends on has failed or is open', because);
  if (one.id === refusalsCase) return judgeRefusals(one, trace);
  if (one.id === unannouncedCase) return judgeUnannounced(one, trace);
  const answers = judgeAnswers(one, trace);
  return answers.kind === 'held' ? (judgeEffects(one, trace) ?? answers) : answers;
}

/** Whether other cases can rest on this one. */
function isSound(verdict: CaseVerdict | undefined): boolean {
  return verdict?.kind === 'held' || verdict?.kind === 'not-applicable';
}

function whyNotRun(one: DriveCase, { header }: DriveTrace): string | null {
  const { id, needs } = one;
  if (!header.cases.includes(id)) return 'it was not chosen';
  switch (needs) {
    case 'effects':
      return header.effects === null ? unseenText(one) : null;
    case 'second-secret':
      return header.secretEnv.length < 2 ? 'one secret was given: name two with --secret-env NEW,OLD' : null;
    case 'nothing':
      return null;
    default:
      return needs satisfies never;
  }
}

/** Why effects were not looked at, and what of. */
function unseenText(one: DriveCase): string {
  const asking = 'no URL for the effects was given: name one with --effects';
  return awaitedIn(one)?.messages === 'of-burst'
    ? `what became of the burst’s events was not looked at, for ${asking}`
    : asking;
}
