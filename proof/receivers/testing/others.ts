import { handleOnce, type OtherReceiver } from './receiver.ts';

/** Handles every event in turn, after the answer, each after so long. */
function queueing(eachMs: number, lagMs: number): OtherReceiver['behaviour'] {
  return () => {
    let freeAtMs = 0;
    return {
      take: (event, memory) => {
        const nowMs = performance.now();
        freeAtMs = Math.max(freeAtMs, nowMs + lagMs) + eachMs;
        setTimeout(() => handleOnce(event, memory), freeAtMs - nowMs);
        return 200;
      },
    };
  };
}

const ofEffects = [
  'effect.once-in-turn',
  'effect.once-at-once',
  'effect.any-order',
  'effect.forged',
  'effect.under-load',
];

/** Receivers that keep what the document says in a way of their own: none of them may be blamed for anything. */
export const otherReceivers: readonly OtherReceiver[] = [
  { name: 'drops forgeries in silence', open: [], behaviour: () => ({ refusal: 200 }) },
  { name: 'redirects forgeries', open: [], behaviour: () => ({ refusal: 303 }) },
  { name: 'calls forgeries an error of its own', open: [], behaviour: () => ({ refusal: 500 }) },
  { name: 'works a little after the answer', open: [], behaviour: queueing(0, 100) },
  {
    name: 'works long after the answer',
    open: ofEffects,
    behaviour: queueing(0, 4_000),
  },
  {
    name: 'needs 300 ms for each event',
    open: ofEffects,
    behaviour: queueing(300, 0),
  },
];
