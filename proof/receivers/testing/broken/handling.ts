import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BrokenReceiver,
  type Event,
  goodBehaviour,
  handleOnce,
  type Memory,
  type Message,
} from '../receiver.ts';
import { die } from './reading.ts';

const { take } = goodBehaviour;

const known = ['received', 'sent', 'delivered', 'read', 'failed'].map((kind) => `message.${kind}`);

/** Longer than two requests that were sent at once are apart. */
const raceMs = 150;

function messageOf({ data }: Event, memory: Memory): Message | undefined {
  return memory.get(String(data['message_id']));
}

const isSeen = (event: Event, memory: Memory): boolean =>
  messageOf(event, memory)?.seen.has(event.event) ?? false;

/** Receivers that make something wrong of events. */
export const handling: readonly BrokenReceiver[] = [
  ...(['sent', 'delivered', 'read', 'failed'] as const).map(
    (kind): BrokenReceiver => ({
      name: `does not know ${kind}`,
      fails: [`valid.${kind}`],
      behaviour: () => ({
        take: (event, memory) => (event.event === `message.${kind}` ? 400 : take(event, memory)),
      }),
    }),
  ),
  {
    name: 'does not know the message of delivered and read',
    fails: ['valid.delivered', 'valid.read'],
    behaviour: () => ({
      take: (event, memory) =>
        ['message.delivered', 'message.read'].includes(event.event) && !messageOf(event, memory)
          ? 404
          : take(event, memory),
    }),
  },
  {
    name: 'answers after the work is done, and times out',
    fails: ['valid.received'],
    pace: 'hurried',
    behaviour: () => ({ take: () => new Promise<number>(() => undefined) }),
  },
  {
    name: 'needs waba_number',
    fails: ['tolerated.simulated'],
    behaviour: () => ({
      take: (event, memory) =>
        event.event === 'message.received' && event.data['waba_number'] === undefined
          ? 422
          : take(event, memory),
    }),
  },
  {
    name: 'allows no other fields',
    fails: ['tolerated.extra-fields'],
    behaviour: () => ({
      take: (event, memory) => (Object.keys(event).length > 3 ? 400 : take(event, memory)),
    }),
  },
  {
    name: 'crashes on unknown events',
    fails: ['tolerated.unknown-event'],
    behaviour: () => ({
      take: (event, memory) => {
        if (!known.includes(event.event)) throw new Error(`no handler for ${event.event}`);
        return take(event, memory);
      },
    }),
  },
  {
    name: 'refuses what it does not know',
    fails: ['tolerated.answers'],
    behaviour: () => ({
      take: (event, memory) => {
        const isText = event.event !== 'message.received' || event.data['type'] === 'text';
        return known.includes(event.event) && isText ? take(event, memory) : 422;
      },
    }),
  },
  {
    name: 'dies of unknown events',
    fails: ['tolerated.unknown-event'],
    behaviour: () => {
      let server: Server | null = null;
      return {
        onServer: (started) => {
          server = started;
        },
        take: (event, memory) => {
          if (server !== null && !known.includes(event.event)) die(server);
          return take(event, memory);
        },
      };
    },
  },
  {
    name: 'uses the text of a picture',
    fails: ['tolerated.other-type'],
    behaviour: () => ({
      take: (event, memory) => {
        if (event.event === 'message.received') (event.data['body'] as string).trim();
        return take(event, memory);
      },
    }),
  },
  {
    name: 'answers a repetition 409',
    fails: ['repeated.in-turn'],
    behaviour: () => ({
      take: (event, memory) => (isSeen(event, memory) ? 409 : take(event, memory)),
    }),
  },
  {
    name: 'fails where two store the same id',
    fails: ['repeated.at-once'],
    behaviour: () => ({
      take: async (event, memory) => {
        if (isSeen(event, memory)) return 200;
        await sleep(raceMs);
        if (isSeen(event, memory)) throw new Error('unique constraint');
        return take(event, memory);
      },
    }),
  },
  {
    name: 'refuses to go back',
    fails: ['repeated.any-order'],
    behaviour: () => ({
      take: (event, memory) => {
        const before = known.indexOf(`message.${messageOf(event, memory)?.state ?? 'none'}`);
        return before > known.indexOf(event.event) && !isSeen(event, memory) ? 409 : take(event, memory);
      },
    }),
  },
  {
    name: 'handles a duplicate twice',
    fails: ['effect.once-in-turn'],
    behaviour: () => ({
      take: (event, memory) => {
        messageOf(event, memory)?.seen.delete(event.event);
        return take(event, memory);
      },
    }),
  },
  {
    name: 'looks first and stores later',
    fails: ['effect.once-at-once'],
    behaviour: () => ({
      take: async (event, memory) => {
        if (isSeen(event, memory)) return 200;
        await sleep(raceMs);
        messageOf(event, memory)?.seen.delete(event.event);
        return take(event, memory);
      },
    }),
  },
  {
    name: 'remembers the id of the message alone',
    fails: ['effect.any-order'],
    behaviour: () => ({
      take: (event, memory) => (messageOf(event, memory) === undefined ? take(event, memory) : 200),
    }),
  },
  {
    name: 'loses an event after the answer',
    fails: ['effect.once-in-turn'],
    behaviour: () => ({
      take: (event, memory) =>
        String(event.data['message_id']).endsWith('effect.once-in-turn_repeated') ? 200 : take(event, memory),
    }),
  },
  {
    name: 'downgrades a status',
    fails: ['effect.any-order'],
    behaviour: () => ({
      take: (event, memory) => {
        const status = handleOnce(event, memory);
        const message = messageOf(event, memory);
        if (message !== undefined) message.state = event.event.replace('message.', '');
        return status;
      },
    }),
  },
  {
    name: 'handles before it verifies',
    fails: ['effect.forged'],
    behaviour: () => ({
      onForged: (body, memory) => {
        handleOnce(JSON.parse(body.toString('utf8')) as Event, memory);
      },
    }),
  },
  {
    name: 'loses events of a burst after the answer',
    fails: ['effect.under-load'],
    behaviour: () => ({
      take: (event, memory) =>
        String(event.data['message_id']).includes('_burst.answers_') ? 200 : take(event, memory),
    }),
  },
  {
    name: 'works on one event at a time',
    fails: ['burst.answers'],
    pace: 'hurried',
    behaviour: () => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        take: (event, memory) => {
          const mine = last.then(() => sleep(60)).then(() => take(event, memory));
          last = mine;
          return mine;
        },
      };
    },
  },
];
