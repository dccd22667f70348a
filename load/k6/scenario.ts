/**
 * The one script that k6 runs for every scenario: it plays the lanes that the runner planned. k6 gives each client a
 * program of its own, about 700 bytes for every function and for every built-in that is used. With hundreds of clients
 * that adds up, so the script is kept small.
 */
import { sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import { firstClient } from './first-client.ts';
import { clockLooker } from './look.ts';
import {
  keyFileVariable,
  keyVariable,
  laneVariable,
  parametersVariable,
  parseKeys,
  parseValues,
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

const values =
  keyFile === undefined ? null : new SharedArray('values', () => [...parseValues(open(keyFile))]);

/** The value of a secret header, by the name of its variable. */
function headerValue(variable: string): string {
  const start = `${variable}=`;
  const value =
    values === null ? __ENV[variable] : values.find((line) => line.startsWith(start))?.slice(start.length);
  if (value === undefined || value === '') throw new Error(`${variable} is not set: it holds a header`);
  return value;
}

// k6 runs the script once as client 0, then once for each of its clients.
const first =
  __VU === 0 ? firstClient(__ENV[parametersVariable] ?? globalThis.conformanceLoadParameters, keys) : null;
export const options = first?.options ?? {};
export const setup = first?.setup;
export const handleSummary = first?.handleSummary;

/** The stream that this client plays, its lane's parameters, and k6's object with the iteration number. */
let send: Send | null = null;
let lane: string | undefined;
let scenario: typeof exec.scenario | null = null;

export default function iterate(started: Started): void {
  try {
    const laneText = __ENV[laneVariable];
    if (send !== null && scenario !== null && laneText === lane) {
      send(scenario.iterationInTest);
      return;
    }
    const turn = exec.scenario.iterationInTest;
    const part = partOf(laneText, { keys, headerValue, started }, turn);
    // In waves, another iteration is another share.
    if (part.kind === 'stream') {
      send = part.send;
      lane = laneText;
      // k6 makes a new object at each access; the values in it are always current.
      scenario = exec.scenario;
    }
    part.send(turn);
  } catch (error) {
    scriptErrors.add(1);
    throw error;
  }
}

const lookEverySeconds = 0.1;

let takeLook: (() => void) | null = null;

/** k6 calls this by its name, again and again, in a client that sends nothing. */
export function look({ clock }: Started): void {
  takeLook ??= clockLooker(clock, Number(__ENV[laneVariable]));
  takeLook();
  sleep(lookEverySeconds);
}
