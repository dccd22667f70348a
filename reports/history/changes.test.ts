import { describe, expect, it } from 'vitest';
import type { Algorithm } from '../../contract/identification.ts';
import { reportOf } from '../testing/fixtures.ts';
import { changesIn } from './changes.ts';
import { type HistoryLine, historyLineOf } from './history-line.ts';

type Found = Readonly<Record<'algorithms' | 'notRuledOut', readonly Algorithm[]>>;

const night = ({ algorithms, notRuledOut }: Found): HistoryLine => ({
  ...historyLineOf(reportOf()),
  points: [
    {
      scope: 'standard',
      key: 'A',
      windowMs: null,
      latencyMs: null,
      algorithms: [...algorithms],
      notRuledOut: [...notRuledOut],
      limit: 120,
      granularitySeconds: null,
    },
  ],
});

const changes = (...nights: readonly Found[]): readonly string[] =>
  changesIn(nights.map(night)).map(({ at, text }) => `${at}: ${text}`);

const log: Found = { algorithms: ['sliding-log'], notRuledOut: [] };
const tie: Found = { algorithms: ['two-bucket', 'sliding-log'], notRuledOut: [] };
const rather: Found = { algorithms: ['two-bucket'], notRuledOut: ['sliding-log'] };
const counter: Found = { algorithms: ['two-bucket'], notRuledOut: [] };
const nothing: Found = { algorithms: [], notRuledOut: [] };

const changed = 'standard, key A: algorithm rolling log → two-bucket';

describe('a limiter changed', () => {
  it.each([
    ['not where only the first of a tie did', [log, tie, log, tie], []],
    ['where a run rules out what was likely before', [log, log, counter], [`2: ${changed}`]],
    ['not where one run finds another likelier, and rules out neither', [log, rather, log, rather], []],
    ['where several in a row do', [log, rather, nothing, rather, rather], [`1: ${changed}`]],
    ['not where the last two do', [log, log, rather, rather], []],
  ] as const)('%s', (_name, nights, expected) => {
    expect(changes(...nights)).toEqual(expected);
  });
});
