import { type ClauseId, clauses, type RegisteredClause } from '../contract/clauses/registry.ts';
import type { ClauseJudgement, Judgement } from '../contract/judgement.ts';
import type { Trace } from '../contract/trace.ts';
import { notApplicable, type Verdict } from '../contract/verdict.ts';
import {
  judgeBearer,
  judgeDate,
  judgeOtherCodes,
  judgeRejections,
  judgeRejectionsCost,
  judgeRetryAfterHeader,
  judgeVersion,
  judgeWithoutKeyHeaders,
} from './access.ts';
import { type Case, caseOf, type Judge } from './case.ts';
import {
  judgeCode,
  judgeContentType,
  judgeMessage,
  judgeMessageText,
  judgeOtherShape,
  judgeRetryAfter,
  judgeShape,
  judgeStatus,
} from './errors.ts';
import { judgeLimitHeader, judgePresent, judgeRemainingOn429 } from './headers.ts';
import { judgeLimit, judgePerKey, judgePerScope, judgeSubpaths } from './limits.ts';
import { measureBurst, measureGroup } from './measures.ts';
import { judgePerSecond, judgeRejectionsCount } from './observations.ts';
import { judgeRemaining } from './remaining.ts';
import { judgeReset } from './reset.ts';
import { judgeResetMeaning } from './reset-meaning.ts';
import { judgeRetryAfterSuffices } from './retry-after.ts';
import { judgeBurst } from './scenarios/burst.ts';
import { judgeKeysCost, judgeLatency, judgeNeighbourLatency } from './scenarios/observations.ts';
import {
  judgeManyKeys,
  judgeMixedScopes,
  judgeNoisyNeighbour,
  judgeOverPressure,
  judgeRollingWindow,
  judgeSustained,
} from './scenarios/pressure.ts';
import { judgeGranularity, judgeLength, judgeRolling } from './window.ts';

const judges: Readonly<Record<ClauseId, Judge>> = {
  'limits.standard': judgeLimit('standard'),
  'limits.messages': judgeLimit('messages'),
  'limits.media': judgeLimit('media'),
  'limits.messages-subpaths': judgeSubpaths,
  'limits.per-key': judgePerKey,
  'limits.per-scope': judgePerScope,
  'limits.per-second': judgePerSecond,
  'limits.rejections-count': judgeRejectionsCount,
  'window.rolling': judgeRolling,
  'window.length': judgeLength,
  'window.granularity': judgeGranularity,
  'load.messages-burst': judgeBurst('messages-burst'),
  'load.media-burst': judgeBurst('media-burst'),
  'load.rolling-window': judgeRollingWindow,
  'load.over-pressure': judgeOverPressure,
  'load.sustained': judgeSustained,
  'load.noisy-neighbour': judgeNoisyNeighbour,
  'load.mixed-scopes': judgeMixedScopes,
  'load.many-keys': judgeManyKeys,
  'load.nodes': judgeBurst('nodes'),
  'load.latency': judgeLatency,
  'load.neighbour-latency': judgeNeighbourLatency,
  'load.keys-cost': judgeKeysCost,
  'headers.present': judgePresent,
  'headers.limit': judgeLimitHeader,
  'headers.remaining': judgeRemaining,
  'headers.remaining-on-429': judgeRemainingOn429,
  'headers.reset': judgeReset,
  'headers.reset-meaning': judgeResetMeaning,
  'headers.without-key': judgeWithoutKeyHeaders,
  'headers.date': judgeDate,
  'error.status': judgeStatus,
  'error.shape': judgeShape,
  'error.code': judgeCode,
  'error.message': judgeMessage,
  'error.message-text': judgeMessageText,
  'error.retry-after': judgeRetryAfter,
  'error.retry-after-suffices': judgeRetryAfterSuffices,
  'error.content-type': judgeContentType,
  'error.other-shape': judgeOtherShape,
  'error.other-codes': judgeOtherCodes,
  'error.retry-after-header': judgeRetryAfterHeader,
  'auth.bearer': judgeBearer,
  'auth.rejections': judgeRejections,
  'auth.rejections-cost': judgeRejectionsCost,
  'version.prefix': judgeVersion,
};

/** Judges a whole trace by every clause. Pure: the same trace gives the same judgement. */
export function judgeTrace(trace: Trace): Judgement {
  return judgeCase(caseOf(trace));
}

/** The same for a trace whose case is made already. */
export function judgeCase(subject: Case): Judgement {
  const { trace, analyses } = subject;
  return {
    clauses: clauses.map((clause) => judgeClause(clause, subject)),
    groups: analyses.map(measureGroup),
    bursts: trace.loads.map((line) => measureBurst(trace, line)),
  };
}

/** A judge that throws is an error of ours, not a violation of theirs, and leaves the other clauses judged. */
function judgeClause(clause: RegisteredClause, subject: Case): ClauseJudgement {
  try {
    return { clause: clause.id, verdict: inMode(clause, subject, judges[clause.id](subject)) };
  } catch (error) {
    return { clause: clause.id, verdict: { kind: 'crashed', message: String(error) } };
  }
}

/** What a run was not meant to show is not applicable to it; what it shows all the same counts. */
function inMode(clause: RegisteredClause, { trace }: Case, verdict: Verdict): Verdict {
  if (verdict.kind !== 'inconclusive' || verdict.because.length > 0) return verdict;
  if (trace.header.mode === 'light' && clause.needs !== 'any-request') {
    return notApplicable('not run: a light run saturates nothing');
  }
  if (trace.header.mode === 'load' && clause.needs !== 'load')
    return notApplicable('not shown by load alone');
  return verdict;
}
