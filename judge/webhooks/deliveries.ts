import { howMany } from '../../contract/quantities.ts';
import { inconclusive, observed } from '../../contract/verdict.ts';
import { nothingToAdd, type WebhookJudge } from './case.ts';
import { idHeaders } from './id-headers.ts';

const stages = ['message.sent', 'message.delivered', 'message.read'] as const;

/** `webhook.ordering` */
export const judgeOrdering: WebhookJudge = ({ book }) => ({
  add: nothingToAdd,
  verdict() {
    let [several, overtaken, impossible] = [0, 0, 0];
    let example: string | null = null;
    for (const same of book.byMessage(book.isIdentified)) {
      // In order of their first arrival.
      const kinds = [...new Set(same.map(book.event))];
      if (kinds.length === 1) continue;
      several += 1;
      if (isOvertaken(kinds)) overtaken += 1;
      if (!isImpossible(kinds)) continue;
      impossible += 1;
      example ??= kinds.join(', ');
    }
    if (several === 0) return inconclusive('no message had more than one event');
    return observed(
      `${howMany(several, 'message')} with several events: ${overtaken === 0 ? 'all in order' : `${overtaken} not in order`}` +
        (impossible === 0 ? '' : `, ${impossible} impossible (${example})`),
    );
  },
});

function isOvertaken(kinds: readonly (string | null)[]): boolean {
  const places = stages.map((stage) => kinds.indexOf(stage)).filter((place) => place !== -1);
  return places.some((place, at) => place < (places[at - 1] as number));
}

function isImpossible(kinds: readonly (string | null)[]): boolean {
  const isSettled = kinds.includes('message.delivered') || kinds.includes('message.read');
  return (kinds.includes('message.failed') && isSettled) || kinds.includes('message.received');
}

/** `webhook.duplicates` */
export const judgeDuplicates: WebhookJudge = ({ book }) => {
  const ids = idHeaders(book);
  return {
    add: ids.add,
    verdict() {
      let [events, repeated] = [0, 0];
      for (const same of book.byEvent()) {
        events += 1;
        const accepted = same.findIndex((at) => book.answer(at) === 'ok');
        if (accepted !== -1 && accepted < same.length - 1) repeated += 1;
      }
      if (events === 0) return inconclusive('no delivery arrived with its whole body');
      const id = ids.found();
      const idText =
        id === null ? 'no header gives events an id' : `${id} gives every arrival of an event one id`;
      return observed(`${repeated} of ${howMany(events, 'event')} came again after a 2xx; ${idText}`);
    },
  };
};
