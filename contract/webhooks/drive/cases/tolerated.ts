import type { DriveCase } from '../case.ts';
import { delivery, stillThere } from '../delivery.ts';
import { firstCase } from './valid.ts';
import type { Content, Expectation } from './words.ts';

type Tolerated = Pick<DriveCase, 'title' | 'sends' | 'expects' | 'why' | 'failure' | 'isThrown'> & {
  readonly level?: DriveCase['level'];
  readonly content: Content;
  readonly expected: Expectation;
};

function tolerated({ level = 'must', content, expected, ...texts }: Tolerated): DriveCase {
  const deliveries = [delivery(content, { content, expects: expected }), stillThere];
  return {
    id: `tolerated.${content}`,
    group: 'What was not announced',
    level,
    ...texts,
    needs: 'nothing',
    dependsOn: [firstCase],
    actions: [{ kind: 'in-turn', deliveries }],
  };
}

/** The answers to events that may be refused without an error: this case sends nothing of its own. */
export const unannouncedCase = 'tolerated.answers';

/** Signed events of a shape that the document does not show, or leaves open. */
export const toleratedCases: readonly DriveCase[] = [
  tolerated({
    content: 'simulated',
    expected: 'accepted',
    title: 'a locally simulated message',
    sends: 'A message.received with only message_id, sender, type and body, then a plain one.',
    expects: '2xx within the budget, both',
    why: 'The document says so: a receiver tolerates the absence of waba_number and recipient.',
    failure: 'waba_number or recipient is required',
  }),
  tolerated({
    content: 'extra-fields',
    expected: 'accepted',
    title: 'more fields than documented',
    sends: 'A message.received with additional fields in the envelope and in its data, then a plain one.',
    expects: '2xx within the budget, both',
    why: 'Services add fields without notice, and the document says nothing about versions of payloads.',
    failure: 'the schema allows no other fields',
  }),
  tolerated({
    content: 'unknown-event',
    expected: 'survived',
    title: 'an event that is not documented',
    sends: 'A signed event of another name with other data, then a plain message.received.',
    expects: 'an answer other than 5xx, within the budget; then 2xx',
    why: 'A sixth kind of event must not stop the five others. 2xx is best: a refused event may be sent again.',
    failure: 'there is no branch for other events, and an error is thrown',
    isThrown: true,
  }),
  tolerated({
    level: 'should',
    content: 'other-type',
    expected: 'survived',
    title: 'a message that is not text',
    sends: 'A message.received of type image without a body, then a plain one.',
    expects: 'an answer other than 5xx, within the budget; then 2xx',
    why: '"body" is promised for the type text alone. Other types are not shown, and customers send pictures.',
    failure: 'body is used without a check of type',
  }),
  {
    id: unannouncedCase,
    group: 'What was not announced',
    level: 'should',
    title: 'what is not known is answered 2xx',
    sends:
      'Nothing of its own: it judges the answers to an event that is not documented, and to a message that is not text.',
    expects: '2xx, for each that does not fail by an error',
    why: 'The document does not say what a refusal does. A refused event may be sent again and again, or be lost, and with it a picture.',
    failure: 'events that are not known are refused: answer 2xx and leave them, or keep them for later',
    needs: 'nothing',
    dependsOn: [firstCase],
    actions: [],
  },
];
