import { describe, expect, it } from 'vitest';
import { inconclusive } from '../../contract/verdict.ts';
import { quoted, reportOf, violatedWith } from '../testing/fixtures.ts';
import { applyBaseline } from './apply-baseline.ts';
import { baselineSchema, formatBaseline, type KnownDeviation, updatedBaseline } from './baseline.ts';

const today = '2026-03-01';
const known = (clause: string, until = '2026-12-31'): KnownDeviation => ({
  clause,
  reason: 'ticket 7',
  until,
});
const violated = violatedWith([quoted()]);
const listing = (...deviations: readonly KnownDeviation[]) =>
  ({ schemaVersion: 1, deviations: [...deviations] }) as const;
const judged = (...kinds: readonly (readonly [string, 'held' | 'violated' | 'inconclusive'])[]) =>
  kinds.map(([id, kind]) => ({ id, level: 'must' as const, kind }));

describe('baselineSchema', () => {
  it.each([
    ['what is no id of a clause', listing(known('Window length')), '"Window length" is no id of a clause'],
    [
      'one without a reason',
      listing({ ...known('limits.media'), reason: ' ' }),
      'why the deviation is accepted',
    ],
    ['one without a day', listing(known('limits.media', 'soon')), 'YYYY-MM-DD'],
    ['a clause twice', listing(known('limits.media'), known('limits.media')), 'listed twice'],
  ])('refuses %s', (_what, input, message) => {
    expect(baselineSchema.safeParse(input).error?.issues[0]?.message).toContain(message);
  });

  it('takes what it writes', () => {
    const text = formatBaseline(listing(known('window.length'), known('limits.media')));
    expect(baselineSchema.parse(JSON.parse(text)).deviations.map(({ clause }) => clause)).toEqual([
      'limits.media',
      'window.length',
    ]);
  });
});

describe('applyBaseline', () => {
  it('accepts what is listed and violated', () => {
    const applied = applyBaseline(
      listing(known('limits.media')),
      judged(['limits.media', 'violated']),
      today,
    );
    expect(applied).toEqual({ known: [known('limits.media')], problems: [] });
  });

  it('objects to a listed clause that holds, and to one whose day has passed', () => {
    const list = listing(known('limits.media'), known('window.length', '2026-02-28'));
    const clauses = judged(['limits.media', 'held'], ['window.length', 'violated']);
    const { known: accepted, problems } = applyBaseline(list, clauses, today);
    expect(accepted).toEqual([]);
    expect(problems).toEqual([
      expect.stringContaining('limits.media holds'),
      expect.stringContaining('window.length was accepted until 2026-02-28 only'),
    ]);
  });

  it('says nothing of a listed clause that could not be judged', () => {
    const list = listing(known('limits.media'));
    const applied = applyBaseline(list, judged(['limits.media', 'inconclusive']), today);
    expect(applied).toEqual({ known: [], problems: [] });
  });
});

describe('updatedBaseline', () => {
  it('adds what is newly violated, drops what holds, keeps what is open, and moves dates that have passed', () => {
    const report = reportOf({
      'limits.media': violated,
      'window.length': violated,
      'headers.reset': inconclusive('a clock step'),
    });
    const before = listing(
      known('window.length', '2026-01-01'),
      known('headers.reset'),
      known('headers.limit'),
    );
    const words = { reason: 'new', until: '2026-06-01' };
    const { baseline, added, removed } = updatedBaseline(before, report.clauses, { words, today });
    expect(added).toEqual([{ clause: 'limits.media', ...words }]);
    expect(removed).toEqual([known('headers.limit')]);
    expect(baseline.deviations).toEqual([
      known('window.length', '2026-06-01'),
      known('headers.reset'),
      { clause: 'limits.media', ...words },
    ]);
  });
});
