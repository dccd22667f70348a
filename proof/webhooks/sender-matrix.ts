import { judgeWebhooks } from '../../judge/webhooks/judge-webhooks.ts';
import { senderVariants } from '../../service/webhooks/faults/variants.ts';
import { senderFaults } from '../../service/webhooks/faults.ts';
import { documentedSender, type Sender } from '../../service/webhooks/sender.ts';
import { simulatedSecret, webhookRun } from './webhook-run.ts';

/** What all runs with one sender said. */
export type SenderRow = {
  readonly name: string;
  readonly kind: 'reference' | 'fault' | 'variant';
  /** Clauses that it violates in every run. */
  readonly must: readonly string[];
  readonly runs: number;
  /** Runs in which each clause was violated. */
  readonly violated: Readonly<Record<string, number>>;
  /** Runs in which all clauses were violated that must be. */
  readonly caught: number;
  /** What should not have been said, a sentence each. */
  readonly problems: readonly string[];
};

type SenderSubject = Pick<SenderRow, 'name' | 'kind' | 'must'> & {
  readonly sender: Sender;
  readonly reasons: readonly string[];
  /** A clause that must observe something, and a part of what it says. */
  readonly observed: readonly [clause: string, says: string] | null;
};

/** The sender as documented, and every way in which it can differ. */
const senderSubjects: readonly SenderSubject[] = [
  {
    name: 'as documented',
    kind: 'reference',
    must: [],
    reasons: [],
    observed: null,
    sender: documentedSender,
  },
  ...senderFaults.map(({ name, must, reasons, patch }) => {
    return { name, kind: 'fault', must, reasons, observed: null, sender: patch(documentedSender) } as const;
  }),
  ...senderVariants.map(({ name, observed, patch }) => {
    return {
      name,
      kind: 'variant',
      must: [],
      reasons: [],
      observed,
      sender: patch(documentedSender),
    } as const;
  }),
];

/** Plays every sender once with each seed. */
export function senderMatrix(firstSeed: number, seeds: number): readonly SenderRow[] {
  return senderSubjects.map((subject) =>
    Array.from({ length: seeds }, (_, at) => rowOf(subject, firstSeed + at)).reduce(joined),
  );
}

/** Several matrices over different seeds as one. */
export function mergedSenders(parts: readonly (readonly SenderRow[])[]): readonly SenderRow[] {
  return parts.reduce((into, part) => into.map((row, at) => joined(row, part[at] as SenderRow)));
}

/** Problems of one row that are kept: a judge that is wrong is wrong in every run. */
const problemsMax = 3;

function joined(left: SenderRow, right: SenderRow): SenderRow {
  const ids = new Set([...Object.keys(left.violated), ...Object.keys(right.violated)]);
  return {
    ...left,
    runs: left.runs + right.runs,
    caught: left.caught + right.caught,
    violated: Object.fromEntries(
      [...ids].map((id) => [id, (left.violated[id] ?? 0) + (right.violated[id] ?? 0)]),
    ),
    problems: [...left.problems, ...right.problems].slice(0, problemsMax),
  };
}

function rowOf({ sender, reasons, observed, ...subject }: SenderSubject, seed: number): SenderRow {
  const { judgements } = judgeWebhooks(webhookRun(sender, seed), {
    secrets: [simulatedSecret],
    meanwhile: null,
  });
  const violated = judgements.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' ? [{ clause, reason: verdict.reason }] : [],
  );
  const ids = violated.map(({ clause }) => clause);
  const said = judgements.find(({ clause }) => clause === observed?.[0])?.verdict;
  const value = said?.kind === 'observed' ? said.value : '';
  const problems = [
    ...judgements.flatMap(({ clause, verdict }) =>
      verdict.kind === 'crashed' ? [`the judge of ${clause} crashed: ${verdict.message}`] : [],
    ),
    ...subject.must.filter((id) => !ids.includes(id)).map((id) => `${id} was not violated`),
    ...violated.flatMap(({ clause, reason }) => {
      if (!subject.must.includes(clause)) return [`${clause} was violated (${reason})`];
      return reasons.includes(reason) ? [] : [`${clause} was violated for another reason: ${reason}`];
    }),
    ...(observed === null || value.includes(observed[1]) ? [] : [`${observed[0]} said "${value}"`]),
  ];
  return {
    ...subject,
    runs: 1,
    violated: Object.fromEntries(ids.map((id) => [id, 1])),
    caught: subject.must.every((id) => ids.includes(id)) ? 1 : 0,
    problems: problems.map((problem) => `${subject.name}: ${problem} (seed ${seed})`),
  };
}
