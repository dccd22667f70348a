import { sleep } from 'k6';
import exec from 'k6/execution';
import { firstClient } from './first-client.ts';
import { clockLooker } from './look.ts';
import { laneVariable, type Parameters, type Started } from './parameters.ts';
import { partOf } from './play.ts';
import { type LaneContext, type Send, scriptErrors } from './send.ts';

const lookEverySeconds = 0.1;

/** What a script has besides its parameters. */
export type Handed = Pick<LaneContext, 'keys' | 'headerValue'>;

/**
 * What a script of k6 exports to play the lanes of its parameters. Client 0 alone asks for those; k6 gives each client a
 * program of its own, about 700 bytes for every function and for every built-in that is used. With hundreds of clients that
 * adds up, so it is kept small.
 * @throws in client 0 where the parameters or keys are missing.
 */
export function scriptOf(parametersOf: () => Parameters, { keys, headerValue }: Handed) {
  // k6 runs the script once as client 0, then once for each of its clients.
  const first = __VU === 0 ? firstClient(parametersOf(), keys) : null;
  /** The stream that this client plays, its lane's parameters, and k6's object with the iteration number. */
  let send: Send | null = null;
  let lane: string | undefined;
  let scenario: typeof exec.scenario | null = null;
  let takeLook: (() => void) | null = null;

  return {
    options: first?.options ?? {},
    setup: first?.setup,
    handleSummary: first?.handleSummary,
    iterate: (started: Started): void => {
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
    },
    /** k6 calls this by its name, again and again, in a client that sends nothing. */
    look: ({ clock }: Started): void => {
      takeLook ??= clockLooker(clock, Number(__ENV[laneVariable]));
      takeLook();
      sleep(lookEverySeconds);
    },
  };
}
