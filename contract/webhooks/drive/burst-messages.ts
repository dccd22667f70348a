import type { Content } from './cases/words.ts';
import type { DriveHeader } from './trace.ts';

type Burst = DriveHeader['burst'];

/** The case that sends the burst. */
export const burstCase = 'burst.answers';

/** The events of one message, in the order in which the service sends them. */
export const burstContents = ['sent', 'delivered', 'read'] as const satisfies readonly Content[];

/** Messages of a burst whose effects are asked about, at most: with more of them, the questions would be a burst too. */
export const askedOfBurstMax = 100;

/** How many events a burst has. */
export function burstEvents({ eventsPerSecond, seconds }: Burst): number {
  return Math.max(1, Math.round(eventsPerSecond * seconds));
}

/** The label of the message that an event of the burst is about. */
export function burstMessage(event: number): string {
  return `message-${Math.floor(event / burstContents.length)}`;
}

/** How many messages of a burst have all their events: where a burst ends with less, nobody knows the state to come. */
export function wholeMessages(burst: Burst): number {
  return Math.floor(burstEvents(burst) / burstContents.length);
}

/** Labels of the whole messages of a burst that are asked about: all, or so many, from the first to the last. */
export function askedOfBurst(burst: Burst): readonly string[] {
  const whole = wholeMessages(burst);
  const asked = Math.min(whole, askedOfBurstMax);
  const step = asked > 1 ? (whole - 1) / (asked - 1) : 0;
  return Array.from({ length: asked }, (_, at) => burstMessage(Math.round(at * step) * burstContents.length));
}
