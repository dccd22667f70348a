import { bodyOf, errorField, fieldOf } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { bodyCharactersMax } from '../contract/outcome.ts';
import { held, inconclusive, type Verdict, violated } from '../contract/verdict.ts';
import type { Case } from './case.ts';
import { inconclusiveBecause } from './conclude.ts';
import { evidenceOf, type Flaw } from './evidence.ts';

const noRefusal = 'no 429 was seen';

type Examine = (exchange: Exchange) => Flaw | null;

/** One verdict over many answers, each looked at by itself; bodies cut off by the trace are left out. */
export function judgeEach(answers: readonly Exchange[], expected: string, examine: Examine): Verdict {
  const whole = answers.filter(({ body }) => (body?.length ?? 0) < bodyCharactersMax);
  if (whole.length === 0)
    return inconclusive(answers.length === 0 ? noRefusal : 'all bodies are too long to judge');
  const flawed = whole.flatMap((exchange) => {
    const flaw = examine(exchange);
    return flaw === null ? [] : [{ exchange, flaw }];
  });
  const [first] = flawed;
  if (first === undefined) return held(`${whole.length} answers`);
  const shown = flawed.map(({ exchange }) => exchange);
  const seen = `${first.flaw.seen} (${flawed.length} of ${whole.length} answers)`;
  return violated(first.flaw.reason, evidenceOf(expected, seen, shown));
}

type ExamineField = (value: unknown) => Flaw | null;

/** The same for one field of `error`; bodies without an error object are `error.shape`'s to judge. */
export function judgeField(
  { limited }: Case,
  name: string,
  expected: string,
  examine: ExamineField,
): Verdict {
  if (limited.length === 0) return inconclusive(noRefusal);
  const shaped = limited.filter((exchange) => typeof fieldOf(bodyOf(exchange), 'error') === 'object');
  if (shaped.length === 0) return inconclusiveBecause('error.shape');
  return judgeEach(shaped, expected, (exchange) => examine(errorField(exchange, name)));
}

/** Status and code of an answer: "401 unauthorized". */
export function answerText(exchange: Exchange): string {
  const { status } = exchange;
  const code = errorField(exchange, 'code');
  return typeof code === 'string' ? `${status} ${code.slice(0, 40)}` : `${status}`;
}

/** Texts for one line, each once and at most twelve. */
export function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].slice(0, 12).join(', ');
}
