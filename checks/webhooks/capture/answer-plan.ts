import { type AnswerKind, answerKinds } from '../../../contract/webhooks/trace.ts';

/** How deliveries are answered, in order of arrival: `count` of them in each way, and the rest as `then` says. */
export type AnswerPlan = {
  readonly first: readonly { readonly answer: AnswerKind; readonly count: number }[];
  readonly then: AnswerKind;
};

/** Deliveries that one part of a plan may name. */
const countMax = 1_000_000;

/**
 * A plan from its parts: `error=3` answers three deliveries with 500, `error` all further ones. Deliveries that no part
 * covers are answered 2xx at once.
 * @throws {RangeError} naming the part that cannot be understood.
 */
export function answerPlan(parts: readonly string[]): AnswerPlan {
  const first: AnswerPlan['first'][number][] = [];
  let then: AnswerKind = 'ok';
  let closedBy: string | null = null;
  for (const part of parts) {
    const [name, count, ...rest] = part.split('=');
    const answer = answerKinds.find((kind) => kind === name);
    if (answer === undefined || rest.length > 0)
      throw new RangeError(`"${part}" is not an answer: choose from ${answerKinds.join(', ')}, e.g. error=3`);
    if (closedBy !== null)
      throw new RangeError(
        `"${part}" is never used: "${closedBy}" before it has no count, so it answers all further deliveries`,
      );
    if (count === undefined) {
      then = answer;
      closedBy = part;
    } else if (/^[1-9]\d{0,6}$/.test(count) && Number(count) <= countMax) {
      first.push({ answer, count: Number(count) });
    } else {
      throw new RangeError(`"${part}" needs a whole number from 1 to ${countMax}, e.g. ${answer}=3`);
    }
  }
  return { first, then };
}

/** How the delivery of an index (from 0) is answered. */
export function answerAt({ first, then }: AnswerPlan, index: number): AnswerKind {
  let end = 0;
  for (const { answer, count } of first) {
    end += count;
    if (index < end) return answer;
  }
  return then;
}
