import { beforeAll, describe, expect, it } from 'vitest';
import { refusalsCase } from '../../contract/webhooks/drive/cases/forged.ts';
import { driveCases } from '../../contract/webhooks/drive/registry.ts';
import type { CaseJudgement } from '../../contract/webhooks/drive/verdict.ts';
import { judgeDrive } from '../../judge/webhooks/drive/judge-drive.ts';
import { handling } from './testing/broken/handling.ts';
import { reading } from './testing/broken/reading.ts';
import { verifying } from './testing/broken/verifying.ts';
import { drive } from './testing/driven.ts';
import { otherReceivers } from './testing/others.ts';
import { type BrokenReceiver, goodBehaviour, type OtherReceiver, startReceiver } from './testing/receiver.ts';

const good: BrokenReceiver = { name: 'good', fails: [], behaviour: () => ({}) };
const brokenReceivers: readonly BrokenReceiver[] = [...verifying, ...reading, ...handling];

type Driven = BrokenReceiver | OtherReceiver;

/** Receivers driven at the same time: most of a drive is waiting. */
const atOnce = 10;

const paces = {
  patient: { budgetMs: 60_000, burst: { eventsPerSecond: 15, seconds: 0.6 } },
  hurried: { budgetMs: 3_000, burst: { eventsPerSecond: 90, seconds: 1 } },
} as const;

/** Verdicts on a receiver, by case. */
const verdicts = new Map<Driven, readonly CaseJudgement[]>();

async function judged(receiver: Driven): Promise<readonly CaseJudgement[]> {
  const { url, effects, close } = await startReceiver({ ...goodBehaviour, ...receiver.behaviour() });
  try {
    return judgeDrive(
      await drive({
        target: url,
        effects,
        ...paces[('pace' in receiver ? receiver.pace : undefined) ?? 'patient'],
      }),
    ).cases;
  } finally {
    close();
  }
}

/** Roughly, in seconds: whoever is hurried or dies is waited for. */
function durationOf(receiver: Driven): number {
  const isHurried = 'pace' in receiver && receiver.pace === 'hurried';
  return isHurried || receiver.name.startsWith('dies') ? 6 : 2;
}

beforeAll(async () => {
  // Those that take longest first.
  const left: Driven[] = [good, ...otherReceivers, ...brokenReceivers].sort(
    (a, b) => durationOf(b) - durationOf(a),
  );
  const judgeInTurn = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      verdicts.set(next, await judged(next));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, judgeInTurn));
}, 300_000);

const idsOf = (receiver: Driven, kind: string): readonly string[] =>
  (verdicts.get(receiver) ?? []).filter(({ verdict }) => verdict.kind === kind).map((one) => one.case);

describe('driving a receiver', () => {
  it('finds nothing wrong with a good one', () => {
    expect(verdicts.get(good)?.filter(({ verdict }) => verdict.kind !== 'held')).toEqual([]);
    expect(idsOf(good, 'held')).toHaveLength(driveCases.length);
  });

  it.each(otherReceivers.map((receiver) => [receiver.name, receiver] as const))(
    'blames nothing must on one that %s',
    (_name, receiver) => {
      const failed = (verdicts.get(receiver) ?? []).filter(({ verdict }) => verdict.kind === 'violated');
      const blamed = failed.filter((one) => one.case !== refusalsCase);
      expect(blamed, JSON.stringify(blamed)).toEqual([]);
      expect(idsOf(receiver, 'inconclusive')).toEqual(receiver.open);
      expect(idsOf(receiver, 'crashed')).toEqual([]);
    },
  );

  it.each(brokenReceivers.map((receiver) => [receiver.name, receiver] as const))(
    'catches one that %s',
    (_name, receiver) => {
      const failed = (verdicts.get(receiver) ?? []).filter(({ verdict }) => verdict.kind === 'violated');
      expect(
        failed.map((one) => one.case),
        JSON.stringify(failed),
      ).toEqual(receiver.fails);
      expect(idsOf(receiver, 'crashed')).toEqual([]);
    },
  );

  it('has a broken receiver for every case', () => {
    const caught = new Set(brokenReceivers.flatMap(({ fails }) => fails));
    expect(driveCases.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });
});
