import { expect, test } from 'vitest';
import { held } from '../../contract/verdict.ts';
import { type WebhookJudge, walk } from './case.ts';
import { delivery, eventText, traceOf } from './testing/deliveries.ts';

const log = traceOf([
  delivery(0, '', { method: 'GET', path: '/favicon.ico', headers: [] }),
  ...['msg_1', 'msg_2', 'msg_3'].map((id, at) => delivery(at + 1, eventText('message.read', id))),
]);

const counting: WebhookJudge = () => {
  let seen = 0;
  return {
    add: () => {
      seen += 1;
    },
    verdict: () => held(`${seen}`),
  };
};

const breaking =
  (where: 'before' | 'add' | 'verdict'): WebhookJudge =>
  (subject) => {
    const at = (place: string): void => {
      if (place === where) throw new Error(`in ${place}`);
    };
    at('before');
    const tally = counting(subject);
    return {
      add: () => at('add'),
      verdict: () => {
        at('verdict');
        return tally.verdict();
      },
    };
  };

test.each(['before', 'add', 'verdict'] as const)(
  'a judge that throws (%s) leaves the others as they are',
  (where) => {
    const { verdicts } = walk(log, { secrets: [], beside: null }, [counting, breaking(where), counting]);
    expect(verdicts).toEqual([held('3'), { kind: 'crashed', message: `Error: in ${where}` }, held('3')]);
  },
);

test('deliveries are recalled by their places among all requests, in the order in which they are named', () => {
  let found: readonly number[] = [];
  walk(log, { secrets: [], beside: null }, [
    ({ book, recall }) => ({
      add: () => undefined,
      verdict: () => {
        found = recall([book.place(2), book.place(0)]).map(({ index }) => index);
        return held('');
      },
    }),
  ]);
  expect(found).toEqual([3, 1]);
});
