import type { DriveCase } from '../case.ts';
import { delivery } from '../delivery.ts';
import type { Content } from './words.ts';

/** Without this case no other proves anything: a receiver that refuses everything refuses forgeries too. */
export const firstCase = 'valid.received';

const signed =
  'the signature is computed over something other than the raw bytes of the body, by another algorithm or with another ' +
  'secret; or the work is done before the answer';

function validEvent(content: Content, about: { readonly why: string; readonly failure: string }): DriveCase {
  return {
    id: `valid.${content}`,
    group: 'Valid events',
    level: 'must',
    title: `message.${content}`,
    sends: `A valid, signed message.${content}.`,
    expects: '2xx within the budget',
    why: about.why,
    failure: about.failure,
    needs: 'nothing',
    dependsOn: content === 'received' ? [] : [firstCase],
    actions: [{ kind: 'in-turn', deliveries: [delivery('valid', { content })] }],
  };
}

const everyKind = 'The document has five kinds of events, and a subscription may send all of them.';

/** All five kinds of events, as the service sends them. */
export const validCases: readonly DriveCase[] = [
  validEvent('received', {
    why: 'A receiver that refuses valid events gets nothing, and its refusals of forgeries prove nothing.',
    failure: signed,
  }),
  ...(['sent', 'delivered', 'read'] as const).map((content) =>
    validEvent(content, {
      why: everyKind,
      failure: `message.${content} or its message is not known, or fields are expected that the document does not promise`,
    }),
  ),
  validEvent('failed', {
    why: everyKind,
    failure:
      'message.failed is not known, or its reason is expected in a form that the document does not show',
  }),
];
