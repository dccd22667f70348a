import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type EventKind, eventKinds } from '../../contract/webhooks/event.ts';

/** Stories that have a name of their own: what happens to one message, event after event. */
const named: Readonly<Record<string, readonly EventKind[]>> = {
  conversation: ['message.received', 'message.sent', 'message.delivered', 'message.read'],
  failure: ['message.sent', 'message.failed'],
  'out-of-order': ['message.read', 'message.delivered', 'message.sent'],
  repeated: ['message.sent', 'message.sent'],
};

export const storyNames = Object.keys(named);

/** Events of one story, at most. */
const eventsMax = 20;

/**
 * The events of a story, in its order: one by its name, or events joined by hyphens (`received-sent-delivered-read`).
 * @throws {UsageError} where there is no such story.
 */
export function storyOf(name: string): readonly EventKind[] {
  if (Object.hasOwn(named, name)) return named[name] ?? [];
  const parts = name.split('-');
  const kinds = parts.map((part) => eventKinds.find((kind) => kind === part || kind === `message.${part}`));
  const unknown = parts.find((_, at) => kinds[at] === undefined);
  const known = [...eventKinds.map((kind) => kind.replace('message.', '')), ...storyNames];
  if (unknown !== undefined) {
    const what = parts.length === 1 ? `event or story "${name}"` : `event "${unknown}" in "${name}"`;
    throw new UsageError(
      `There is no ${what}${didYouMean(unknown, known)} Events: ${eventKinds.join(', ')}. ` +
        `Stories: ${storyNames.join(', ')}, or events joined by hyphens, e.g. received-sent-delivered-read.`,
    );
  }
  if (parts.length > eventsMax)
    throw new UsageError(`"${name}" has ${parts.length} events; a story has at most ${eventsMax}.`);
  return kinds.filter((kind) => kind !== undefined);
}
