import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Question } from '../../run/init/answers.ts';

/** Asks a person, one question after another. */
export type Questioner = {
  /** An answer without a flaw; `null` where the person broke off. */
  readonly ask: (
    question: Pick<Question, 'text' | 'usual'>,
    flawOf: (answer: string) => string | null,
  ) => Promise<string | null>;
  readonly close: () => void;
};

/** Several lines at once, as somebody pastes them, are the answers to several questions. */
export function openQuestioner(streams: { readonly input: Readable; readonly output: Writable }): Questioner {
  const reader = createInterface(streams);
  const lines = reader[Symbol.asyncIterator]();
  let isOver = false;
  reader.once('close', () => {
    isOver = true;
  });
  const answerTo = async (text: string): Promise<string | null> => {
    reader.setPrompt(text);
    // What was typed before the end is still there.
    if (!isOver) reader.prompt();
    const { done, value } = await lines.next();
    return done === true ? null : value.trim();
  };
  return {
    ask: async ({ text, usual }, flawOf) => {
      for (let asked = 0; asked < askedMax; asked += 1) {
        const said = await answerTo(`${text}${usual === null ? '' : `\n  [${usual}]`}: `);
        if (said === null) return null;
        const answer = said === '' ? usual : said;
        const flaw = answer === null ? 'There has to be an answer.' : flawOf(answer);
        if (flaw === null) return answer;
        streams.output.write(`  ${flaw}\n`);
      }
      return null;
    },
    close: () => reader.close(),
  };
}

/** How often one question is asked. */
const askedMax = 10;
