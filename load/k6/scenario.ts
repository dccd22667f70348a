/**
 * The one script that k6 runs for every scenario: it plays the lanes that the runner has planned. k6 gives each of its
 * clients a program of its own, some 700 bytes for every function and for every built-in that is touched: with hundreds
 * of clients that tells, and so what is here is little.
 */
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import { firstClient } from './first-client.ts';
import {
  keyFileVariable,
  keyVariable,
  laneVariable,
  parametersVariable,
  parseKeys,
  type Started,
} from './parameters.ts';
import { partOf } from './play.ts';
import { type Send, scriptErrors } from './send.ts';

const keyFile = __ENV[keyFileVariable];
const keys =
  keyFile === undefined
    ? parseKeys(__ENV[keyVariable])
    : // One copy for all clients.
      new SharedArray('keys', () => [...parseKeys(open(keyFile))]);

// k6 runs the script first as client 0, and then for each of its clients.
const first =
  __VU === 0 ? firstClient(__ENV[parametersVariable] ?? globalThis.conformanceLoadParameters, keys) : null;
export const options = first?.options ?? {};
export const setup = first?.setup;
export const handleSummary = first?.handleSummary;

/** The stream that this client plays, what it was told of it, and where k6 says how far it is. */
let send: Send | null = null;
let lane: string | undefined;
let scenario: typeof exec.scenario | null = null;

export default function iterate(started: Started): void {
  try {
    const told = __ENV[laneVariable];
    if (send !== null && scenario !== null && told === lane) {
      send(scenario.iterationInTest);
      return;
    }
    const turn = exec.scenario.iterationInTest;
    const part = partOf(told, { keys, started }, turn);
    // Of waves another iteration is another share.
    if (part.kind === 'stream') {
      send = part.send;
      lane = told;
      // k6 makes this object anew each time that it is asked for; what stands in it is of the moment.
      scenario = exec.scenario;
    }
    part.send(turn);
  } catch (error) {
    scriptErrors.add(1);
    throw error;
  }
}
