import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { testNameOf } from '../../checks/clause-tests.ts';
import { settleClause } from '../../checks/settle-clause.ts';
import type { Clause } from '../../contract/clause.ts';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import { type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import type { Document, DocumentInput } from '../../contract/document/document.ts';
import type { ClauseJudgement, Judgement } from '../../contract/judgement.ts';
import { interrupted } from '../../contract/unreachable.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { plainly } from '../mistakes/plainly.ts';
import { checkHosts } from '../target/allowed-hosts.ts';
import { checkKeyPlace } from '../target/check-key-place.ts';
import { explainIssues } from '../target/explain-issues.ts';
import { keysOf } from '../target/keys.ts';
import { usableDocument } from '../target/usable-document.ts';
import type { Endpoint, ExpectedLimit, KeyedDeployment } from './expected-limit.ts';
import { keepsLimit, LimitError } from './keeps-limit.ts';
import { lookAt } from './look-at.ts';
import { attemptsUsual, looksMs } from './look-times.ts';
import { inProgramWords, toldToProgram } from './program-words.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /**
     * Asks the endpoint until it is known whether it keeps the limit: `await expect({ url }).toKeepLimit({ limit: 30, windowSeconds: 2,
     * promise: 'rolling' })`. A machine that is too slow fails the test as such, never as a broken limit.
     */
    toKeepLimit(expected: ExpectedLimit): Promise<void>;
  }
}

expect.extend({
  async toKeepLimit(endpoint: Endpoint, expected: ExpectedLimit) {
    const seen = await keepsLimit(endpoint, expected).catch((error: unknown) => {
      // `not` is about the limiter alone: what is not proven fails both ways.
      if (error instanceof LimitError && error.kind === 'broken') return error;
      throw error;
    });
    const pass = !(seen instanceof LimitError);
    return { pass, message: () => (pass ? `The limit is kept: ${seen}` : seen.message) };
  },
});

/** Settings without a document, and with the keys themselves in the test's own environment. */
type OwnDeployment = Omit<DeploymentInput, 'document' | 'transport'> & {
  /** Hosts other than this machine that may be asked. */
  readonly allowHosts?: readonly string[];
};

/**
 * One test for each clause of a document, by the names that `conformance clauses` shows, so that `-t` selects them. All that has to be sent
 * is sent once, before the first of them.
 * @param document as `defineDocument` types it.
 * @param deployment or what gives it once the app listens.
 * @throws {UsageError} where the document cannot be used.
 */
export function describeLimits(
  document: DocumentInput,
  deployment: OwnDeployment | (() => OwnDeployment | Promise<OwnDeployment>),
): void {
  const held = usableDocument(document);
  describe(held.title, () => {
    let judgement: Judgement | null = null;
    beforeAll(async () => {
      const asked = keyedOf(held, typeof deployment === 'function' ? await inTime(deployment) : deployment);
      const timeoutMs = looksMs(asked.deployment, attemptsUsual);
      const { found } = await lookAt(asked, {
        judge: ({ trace, stopped }) => {
          if (stopped === interrupted) throw new Error(`not done within ${Math.ceil(timeoutMs / 1_000)} s`);
          if (stopped !== null) throw new Error(stopped);
          return judgeTrace(trace);
        },
        isOpen: mayShowMore,
        attempts: attemptsUsual,
        signal: AbortSignal.timeout(timeoutMs),
      });
      judgement = found;
    }, noTimeout);
    for (const clause of clausesOf(held).filter(isShownHere)) {
      test(testNameOf(clause), async (context) => {
        const judged = judgement?.clauses.find((one) => one.clause === clause.id);
        if (judged === undefined) throw new Error(`no judge spoke about ${clause.id}`);
        await settleClause(clause, inWordsOf(judged), { context, whereText: '' });
      });
    }
  });
}

/** Of a hook that has its own: only once it has begun is it known how long it may take. */
const noTimeout = 0;

/** How long an app may take until it listens, ms: some are built first. */
const listensMsMax = 120_000;

/** @throws {UsageError} where nothing comes of it. */
async function inTime<Given>(give: () => Given | Promise<Given>): Promise<Given> {
  const over = new AbortController();
  const late = async (): Promise<never> => {
    await sleep(listensMsMax, undefined, { signal: over.signal });
    throw new UsageError(`No deployment came within ${listensMsMax / 1_000} s.`);
  };
  try {
    return await Promise.race([give(), late()]);
  } finally {
    over.abort();
  }
}

/** Why a clause could not be judged may be a setting that is missing. */
function inWordsOf(judged: ClauseJudgement): ClauseJudgement {
  const { verdict } = judged;
  return verdict.kind === 'inconclusive' || verdict.kind === 'not-applicable'
    ? { ...judged, verdict: { ...verdict, reason: inProgramWords(verdict.reason) } }
    : judged;
}

/** What k6 alone shows has no test here. */
function isShownHere({ needs }: Clause): boolean {
  return needs !== 'load';
}

/** Nothing is violated, and something was not decided that was asked for. */
function mayShowMore({ clauses }: Judgement): boolean {
  const verdicts = clauses.map(({ verdict }) => verdict);
  return (
    verdicts.every(({ kind }) => kind !== 'violated') &&
    verdicts.some((verdict) => verdict.kind === 'inconclusive' && verdict.openBy !== 'settings')
  );
}

/** @throws {UsageError} naming each setting that is wrong, and each variable without a key. */
function keyedOf(document: Document, { allowHosts = [], ...input }: OwnDeployment): KeyedDeployment {
  if ('transport' in input) {
    const fix = 'apps are asked straight, by HTTP/1.1; NODE_EXTRA_CA_CERTS names an authority to trust';
    throw new UsageError(`transport: is not read here: ${fix}.`);
  }
  const shown = Object.entries(document.scopes).flatMap(([name, { request }]) =>
    request === undefined ? [] : [[name, request] as const],
  );
  const requests = { ...Object.fromEntries(shown), ...input.requests };
  const { windowSeconds } = document;
  const given = { windowSeconds, ...input, document, requests };
  const settings = deploymentSchema.safeParse(given, plainly);
  if (!settings.success)
    throw new UsageError(`The settings cannot be used:\n${explainIssues(settings.error, { fixes: {} })}`);
  return toldToProgram(() => {
    checkKeyPlace(settings.data, []);
    checkHosts(settings.data.baseUrls, allowHosts, { sent: 'hundreds of requests', option: 'allowHosts' });
    // The tests of the app may need its keys too: they stay where they are.
    return { deployment: settings.data, keys: keysOf(settings.data, { ...process.env }) };
  });
}
