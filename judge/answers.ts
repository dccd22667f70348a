import { bodyOf, errorField, fieldOf, type Unjudgeable } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { once } from '../contract/once.ts';
import { howMany } from '../contract/quantities.ts';
import { held, inconclusive, type Verdict, violated } from '../contract/verdict.ts';
import { evidenceOf, type Flaw } from './evidence.ts';
import { those } from './those.ts';

const noRefusal = 'no 429 was seen';

/** What is wrong with an answer; `null` where nothing is. */
export type Examine = (exchange: Exchange) => Flaw | null;

/**
 * One verdict over the heads of many answers, each looked at by itself.
 * @param leftOut what is said of answers that are not among them; empty where there are none.
 */
export function judgeEach(
  answers: readonly Exchange[],
  expected: string,
  examine: Examine,
  leftOut: string,
): Verdict {
  if (answers.length === 0)
    return inconclusive(leftOut === '' ? noRefusal : `${leftOut}: there is no other to judge`);
  const flawed: Flawed[] = [];
  for (const exchange of answers) {
    const flaw = examine(exchange);
    if (flaw !== null) flawed.push({ exchange, flaw });
  }
  const [first] = flawed;
  const also = leftOut === '' ? '' : `; ${leftOut}, not judged`;
  if (first === undefined) return held(`${howMany(answers.length, 'answer')}${also}`);
  const seen = `${seenText(kindsOf(flawed))} (${flawed.length} of ${answers.length} answers${also})`;
  const [, ...others] = kindsOf(flawed);
  const shown = flawed.map(({ exchange }) => exchange);
  return violated(
    first.flaw.reason,
    evidenceOf(
      expected,
      seen,
      shown,
      others.map(([one]) => one.exchange),
    ),
  );
}

type Flawed = { readonly exchange: Exchange; readonly flaw: Flaw };

/** What is wrong alike: by the reason and the status, since what was seen may differ in each answer. */
function kindsOf(flawed: readonly Flawed[]): readonly (readonly [Flawed, ...Flawed[]])[] {
  return [
    ...Map.groupBy(flawed, ({ exchange, flaw }) => `${exchange.status} ${flaw.reason}`).values(),
  ].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others] as const]));
}

const kindsMax = 5;

/** Every kind, so that a frequent one hides no other: whoever mends the first would meet the second a run later. */
function seenText(kinds: ReturnType<typeof kindsOf>): string {
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0) return only[0].flaw.seen;
  const texts = kinds.slice(0, kindsMax).map(({ 0: { exchange, flaw }, length }) => {
    const status = flaw.seen.includes(`HTTP ${exchange.status}`) ? '' : `HTTP ${exchange.status}: `;
    return `${status}${flaw.seen} × ${length}`;
  });
  const more = kinds.length - kindsMax;
  return [...texts, ...(more > 0 ? [`${more} other kinds`] : [])].join('; ');
}

/** The same over their bodies. One that the trace does not show whole is left out, and the verdict says so. */
export function judgeBodies(answers: readonly Exchange[], expected: string, examine: Examine): Verdict {
  const { judged, leftOut } = bodiesOf(answers);
  return judgeEach(judged, expected, examine, leftOut);
}

/** Of some answers, those whose bodies the trace shows whole, those of them with an error object, and what is said of the rest. */
export const bodiesOf = once((answers: readonly Exchange[]) => {
  const judged = those(answers, (exchange) => bodyOf(exchange).kind !== 'left-out');
  return {
    judged,
    shaped: those(judged, (exchange) => typeof fieldOf(bodyOf(exchange), 'error') === 'object'),
    leftOut: judged.length === answers.length ? '' : leftOutText(answers),
  };
});

/** How many bodies are left out, and why; empty where none is. */
export function leftOutText(answers: readonly Exchange[]): string {
  const reasons: Unjudgeable[] = [];
  for (const answer of answers) {
    const body = bodyOf(answer);
    if (body.kind === 'left-out') reasons.push(body.why);
  }
  return [...Map.groupBy(reasons, (why) => why)]
    .map(([why, { length }]) => (length === 1 ? one[why] : `${length} ${several[why]}`))
    .join(', ');
}

const one: Readonly<Record<Unjudgeable, string>> = {
  'ended-early': '1 body ended early',
  'too-long': '1 body is longer than the trace keeps',
  'answers-head': '1 answer to HEAD has no body',
};

const several: Readonly<Record<Unjudgeable, string>> = {
  'ended-early': 'bodies ended early',
  'too-long': 'bodies are longer than the trace keeps',
  'answers-head': 'answers to HEAD have no body',
};

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
