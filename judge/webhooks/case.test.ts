import { expect, test } from 'vitest';
import { held } from '../../contract/verdict.ts';
import type { Book } from './book.ts';
import { type WebhookJudge, walk } from './case.ts';
import { delivery, eventText, failed, originMs, traceOf, unanswered } from './testing/deliveries.ts';

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
    const { verdicts } = walk(log, { secrets: [], meanwhile: null }, [counting, breaking(where), counting]);
    expect(verdicts).toEqual([held('3'), { kind: 'crashed', message: `Error: in ${where}` }, held('3')]);
  },
);

test('a judge that threw once is asked no more', () => {
  const once: WebhookJudge = (subject) => {
    let asked = 0;
    const add = (): void => {
      asked += 1;
      if (asked === 1) throw new Error('the first');
    };
    return { ...counting(subject), add };
  };
  const { verdicts } = walk(log, { secrets: [], meanwhile: null }, [once]);
  expect(verdicts).toEqual([{ kind: 'crashed', message: 'Error: the first' }]);
});

test('what was judged is counted by its answers, and what did not come whole', () => {
  const text = eventText('message.read', 'msg_1');
  const trace = traceOf([
    delivery(0, text),
    delivery(1, text, failed),
    delivery(2, text, { ...unanswered, completeMs: null }),
    delivery(3, text, failed),
  ]);
  const byAnswer = { ok: 1, slow: 0, error: 2, limited: 0, gone: 0, none: 1, other: 0 };
  expect(walk(trace, { secrets: [], meanwhile: null }, []).deliveries).toEqual({
    total: 4,
    brokenOff: 1,
    byAnswer,
  });
});

test('what was planned as an answer is none where the sender had gone before it', () => {
  const text = eventText('message.read', 'msg_1');
  const gone = { status: null, answeredMs: null };
  const trace = traceOf([
    delivery(0, text),
    delivery(1, text, gone),
    delivery(2, text, { ...gone, completeMs: null }),
    delivery(3, text, { ...gone, answer: 'slow' }),
  ]);
  const { byAnswer, brokenOff } = walk(trace, { secrets: [], meanwhile: null }, []).deliveries;
  expect([brokenOff, byAnswer]).toMatchObject([1, { ok: 1, slow: 0, none: 3 }]);
});

test('deliveries are recalled by their positions among the webhooks, in the order in which they are named', () => {
  let found: readonly number[] = [];
  walk(log, { secrets: [], meanwhile: null }, [
    ({ recall }) => ({
      add: () => undefined,
      verdict: () => {
        found = recall([2, 0]).map(({ index }) => index);
        return held('');
      },
    }),
  ]);
  expect(found).toEqual([3, 1]);
});

test('what is recalled came whole, as what the book has', () => {
  let found: readonly number[] = [];
  const text = eventText('message.read', 'msg_1');
  const trace = traceOf([delivery(0, text), delivery(1, text, { completeMs: null }), delivery(2, text)]);
  walk(trace, { secrets: [], meanwhile: null }, [
    (subject) => ({
      add: () => undefined,
      verdict: () => {
        found = subject.recall([1]).map(({ index }) => index);
        return held('');
      },
    }),
  ]);
  expect(found).toEqual([2]);
});

test('the book is closed when every judge has said what it found', () => {
  const books: Book[] = [];
  const first: WebhookJudge = ({ book }) => ({
    add: () => undefined,
    verdict() {
      books.push(book);
      return held(`${book.arrivedMs(0) - originMs}`);
    },
  });
  expect(walk(log, { secrets: [], meanwhile: null }, [first, first]).verdicts).toEqual([
    held('1'),
    held('1'),
  ]);
  expect(books.map((book) => book.arrivedMs(0))).toEqual([Number.NaN, Number.NaN]);
});
