import { once } from 'node:events';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { findK6 } from '../load/runner/find-k6.ts';
import { median } from './cpu-seconds.ts';
import { burstSize } from './k6/burst-size.ts';
import { k6Span, undiciSpan } from './k6/burst-spans.ts';
import { type K6Run, runK6 } from './k6/run-k6.ts';
import { bareClients, bareOpenModel, deploymentOf, ourScript, type Target } from './k6/scripts.ts';
import type { Bench, Measure } from './measure.ts';

/** Beyond what any of them reaches: what is left out counts as not sent. */
const targetPerSecond = 20_000;
const seconds = 30;

const clients = 300;

// Odd numbers, so that the median is one of them. In turn, since the speed of a machine drifts.
const rounds = { memory: 9, spans: 5 };
const counted = { rounds: 9, least: 0.9 };

export const loadBench: Bench = {
  name: 'load',
  about: `k6 with the load suite against k6 alone, in turn, and one burst of ${burstSize} by k6 and by undici`,
  remarks: [
    'What a line of the trace costs k6 is mostly reading the answer: each header, body and time is brought over from Go when the script reads it. The rest is one text of about 500 characters and k6’s own console. Keys are looked for only in texts that have room for one: with hundreds of clients that look, and what it kept in each of them, had been a sixth of the script’s time and more than 100 MB.',
  ],
  run: async (say) => {
    const found = await findK6({ env: process.env });
    if (found.kind !== 'found')
      throw new Error(`no k6: ${found.kind === 'aborted' ? 'aborted' : found.reason}`);
    const k6 = found.k6.path;
    const worker = new Worker(new URL('./k6/service-worker.ts', import.meta.url));
    try {
      const [{ admitting, refusing, pages }] = (await once(worker, 'message')) as [Services];
      return [
        await throughput(k6, { target: admitting, answers: '2xx', ...counted }, say),
        await throughput(k6, { target: refusing, answers: '429', ...counted }, say),
        await throughput(k6, { target: pages, answers: '429, each another page of HTML', rounds: 3 }, say),
        await memory(k6, admitting, say),
        await spans(k6, admitting, say),
      ];
    } finally {
      worker.postMessage('close');
      await once(worker, 'exit');
    }
  },
};

type Say = (line: string) => void;

type Services = { readonly admitting: Target; readonly refusing: Target; readonly pages: Target };

/** A service, how it answers, how often it is measured, and the least share of the peer's rate where that is a bar. */
type Answering = {
  readonly target: Target;
  readonly answers: '2xx' | '429' | '429, each another page of HTML';
  readonly rounds: number;
  readonly least?: number;
};

async function throughput(
  k6: string,
  { target, answers, rounds, least }: Answering,
  say: Say,
): Promise<Measure> {
  const deployment = deploymentOf(target, seconds);
  const limits = { standard: (targetPerSecond * seconds) / 3, messages: 1, media: 1 };
  const script = await ourScript({
    scenario: 'over-pressure',
    target,
    limits,
    choices: { windows: 1 },
    deployment: { ...deployment, requests: { standard: deployment.requests.standard } },
  });
  const bareScript = bareOpenModel(target, {
    perSecond: targetPerSecond,
    seconds,
    heapGrowth: script.env['GOGC'],
  });
  say(
    `${rounds} rounds, answers ${answers}: a bare script, then ours, ${seconds} s each at up to ${targetPerSecond}/s`,
  );
  const bareRate = async (): Promise<number> => {
    const { requests, failed, requestsPerSecond } = await runK6({ k6, ...bareScript });
    requireAnswers(answers, { requests, admitted: requests - failed });
    return requestsPerSecond;
  };
  const ourRate = async (): Promise<number> => {
    const { requests, lines, admittedLines, requestsPerSecond } = await runK6({ k6, ...script });
    if (lines !== requests) throw new Error(`${requests} requests, but ${lines} in the trace`);
    requireAnswers(answers, { requests, admitted: admittedLines });
    return requestsPerSecond;
  };
  const { peer, ours, ratio } = await inTurn(rounds, bareRate, ourRate);
  return {
    measured: `requests a second, open model, all ${answers}, trace on, median of ${rounds}`,
    ours: perSecond(ours),
    peer: `${perSecond(peer)} (bare k6)`,
    ratio,
    ...(least === undefined ? {} : { bar: { text: `≥ ${least}`, isMet: ratio >= least } }),
  };
}

/** Of a service that admits one request a window. */
const admittedByRefusing = 3;

function requireAnswers(
  answers: Answering['answers'],
  { requests, admitted }: { readonly requests: number; readonly admitted: number },
): void {
  const isSo = answers === '2xx' ? admitted === requests : admitted <= admittedByRefusing;
  if (!isSo) throw new Error(`${admitted} of ${requests} were admitted: the answers are not all ${answers}`);
}

async function memory(k6: string, target: Target, say: Say): Promise<Measure> {
  say(`${rounds.memory} rounds: ${clients} independent clients`);
  const limits = { standard: 1, messages: clients * 1.5, media: 1 };
  const deployment = deploymentOf(target, 60);
  const script = await ourScript({
    scenario: 'messages-burst',
    target,
    deployment,
    limits,
    choices: { vus: clients },
  });
  const memoryOf = async (run: Omit<K6Run, 'k6'>): Promise<number> =>
    (await runK6({ k6, ...run })).memoryBytes;
  const bareScript = bareClients(target, { clients, heapGrowth: script.env['GOGC'] });
  const { peer, ours, ratio } = await inTurn(
    rounds.memory,
    () => memoryOf(bareScript),
    () => memoryOf(script),
  );
  return {
    measured: `memory of ${clients} clients, two requests or three each, median of ${rounds.memory}`,
    ours: megabytes(ours),
    peer: `${megabytes(peer)} (bare k6)`,
    ratio,
    bar: { text: '≤ 1.2', isMet: ratio <= 1.2 },
  };
}

async function spans(k6: string, target: Target, say: Say): Promise<Measure> {
  say(`${rounds.spans} bursts each by k6 and by undici`);
  const { peer, ours, ratio } = await inTurn(
    rounds.spans,
    () => undiciSpan(target),
    () => k6Span(k6, target),
  );
  return {
    measured: `span of ${burstSize} requests at once, warmed, median of ${rounds.spans}`,
    ours: `${ours.toFixed(0)} ms (k6 batch)`,
    peer: `${peer.toFixed(0)} ms (undici)`,
    ratio,
  };
}

/** Measures the peer, then ours, in each of the rounds: the median of each, and of the ratios within the rounds. */
async function inTurn(count: number, measurePeer: () => Promise<number>, measureOurs: () => Promise<number>) {
  const pairs: { readonly peer: number; readonly ours: number }[] = [];
  for (let round = 0; round < count; round += 1) {
    pairs.push({ peer: await measurePeer(), ours: await measureOurs() });
  }
  return {
    peer: median(pairs.map(({ peer }) => peer)),
    ours: median(pairs.map(({ ours }) => ours)),
    ratio: median(pairs.map(({ peer, ours }) => ours / peer)),
  };
}

function perSecond(value: number): string {
  return `${Math.round(value)}/s`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
