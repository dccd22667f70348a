import type { Level } from '../../clause.ts';
import { askedOfBurst, burstCase, burstEvents } from './burst-messages.ts';
import type { Delivery } from './delivery.ts';
import type { DriveHeader, EffectLine } from './trace.ts';

/** Headings of the report, in its order. */
export const groups = [
  'Valid events',
  'Forgeries',
  'What HTTP and JSON allow',
  'What was not announced',
  'Repeats and order',
  'Secrets',
  'Effects',
  'Connections',
  'Burst',
] as const;

export type Group = (typeof groups)[number];

/** What happens in a case, one action after the other. */
export type DriveAction =
  /** One request after the other, each on a connection of its own. */
  | { readonly kind: 'in-turn'; readonly deliveries: readonly Delivery[] }
  | { readonly kind: 'at-once'; readonly deliveries: readonly Delivery[] }
  /** One request after the other on the same connection, as long as the receiver keeps it. */
  | { readonly kind: 'on-one-connection'; readonly deliveries: readonly Delivery[] }
  /** Opens connections that each send a request's head byte by byte, and never all of it, until the case is over. */
  | { readonly kind: 'hold'; readonly connections: number }
  /**
   * Asks the effects URL about messages until they show the awaited effect and `later` shows one too, or the wait is over.
   */
  | {
      readonly kind: 'effects';
      /** Labels of messages of this case, or those of the burst. */
      readonly messages: readonly string[] | 'of-burst';
      readonly awaited: Awaited;
      /** Messages of other cases that are asked about too. */
      readonly ofOthers?: readonly OtherMessage[];
    }
  /** Sends nothing for as long as an effect may take, so that what waits in a queue makes room. */
  | { readonly kind: 'rest' }
  /** Sends sent, delivered and read of message after message at a steady rate, whether or not answers come. */
  | { readonly kind: 'burst' };

/** A message of another case. */
export type OtherMessage = Omit<DrivenMessage, 'runId'>;

/** The awaited effect: an event that took effect, a state, or nothing. */
export type Awaited = 'handled' | 'read' | 'nothing';

/** What the person who runs a case has to provide. */
export type Need = 'nothing' | 'effects' | 'second-secret';

/** One thing that a subscriber's receiver should do, with the deliveries that show whether it does. */
export type DriveCase = {
  /** Never changes and does not depend on the position: reports and baselines refer to it. */
  readonly id: string;
  readonly group: Group;
  /** `must` decides; a `should` that fails is a shortcoming. */
  readonly level: Exclude<Level, 'observe'>;
  /** A few words for tables. */
  readonly title: string;
  readonly sends: string;
  readonly expects: string;
  readonly why: string;
  /** What a failure most likely means. */
  readonly failure: string;
  /** Whether that is an exception, which a 5xx shows. */
  readonly isThrown?: true;
  readonly needs: Need;
  /** Cases without which this one proves nothing: if one of them fails, it cannot be judged. */
  readonly dependsOn: readonly string[];
  readonly actions: readonly DriveAction[];
};

/** Every delivery of a case in the order of its actions, without those of a burst. */
export function deliveriesOf({ actions }: DriveCase): readonly Delivery[] {
  return actions.flatMap((action) => ('deliveries' in action ? action.deliveries : []));
}

/** Whether a case is sent at a steady rate, for as long as the run says. */
export function isBurst({ actions }: DriveCase): boolean {
  return actions.some(({ kind }) => kind === 'burst');
}

/** What a case asks the effects URL; `null` where it asks nothing. */
export function awaitedIn({ actions }: DriveCase): Extract<DriveAction, { kind: 'effects' }> | null {
  return actions.find((action) => action.kind === 'effects') ?? null;
}

type OfBurst = Pick<DriveHeader, 'burst'>;

/** The messages that a case asks the effects URL about until they show what is awaited. */
export function messagesAwaitedIn(one: DriveCase, { burst }: OfBurst): readonly OtherMessage[] {
  const messages = awaitedIn(one)?.messages ?? [];
  if (messages === 'of-burst') return askedOfBurst(burst).map((message) => ({ caseId: burstCase, message }));
  return messages.map((message) => ({ caseId: one.id, message }));
}

/** Every message that a case asks the effects URL about. */
export function messagesAskedIn(one: DriveCase, header: OfBurst): readonly OtherMessage[] {
  return [...messagesAwaitedIn(one, header), ...(awaitedIn(one)?.ofOthers ?? [])];
}

/** Whether a run has what a case needs. */
export function needsMet({ needs }: DriveCase, { effects, secretEnv }: DriveHeader): boolean {
  switch (needs) {
    case 'nothing':
      return true;
    case 'effects':
      return effects !== null;
    case 'second-secret':
      return secretEnv.length > 1;
    default:
      return needs satisfies never;
  }
}

/** Whether a look shows that an event of the message had an effect; a URL that gives no count knows only those. */
export function showsEffect(found: EffectLine['found']): boolean {
  return found.kind === 'known' && found.handled !== 0;
}

/** Whether a look shows the awaited effect. Nothing is shown at once. */
export function showsAwaited(found: EffectLine['found'], awaited: Awaited): boolean {
  switch (awaited) {
    case 'handled':
      return found.kind === 'known' && (found.handled ?? 0) >= 1;
    case 'read':
      return found.kind === 'known' && found.state === 'read';
    case 'nothing':
      return true;
    default:
      return awaited satisfies never;
  }
}

/** How many deliveries a case sends. */
export function deliveriesIn(one: DriveCase, { burst }: Pick<DriveHeader, 'burst'>): number {
  return isBurst(one) ? burstEvents(burst) : deliveriesOf(one).length;
}

/** A message of a case: its label there, and the id of the run, so that two runs have no message in common. */
export type DrivenMessage = { readonly runId: string; readonly caseId: string; readonly message: string };

/** The id of a message for the receiver, e.g. `msg_3f1c20aa_repeated.in-turn_repeated`. */
export function messageIdOf({ runId, caseId, message }: DrivenMessage): string {
  return `msg_${runId}_${caseId}_${message}`;
}
