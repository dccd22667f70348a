import { describe, expect, it } from 'vitest';
import type { Level } from '../contract/clause.ts';
import { type RunFacts, type RunOutcome, settle, type VerdictKind } from './outcome.ts';

const clause = (level: Level, kind: VerdictKind, id = `${level}.${kind}`) => ({ id, level, kind });
const heldMust = clause('must', 'held', 'must.other');
const violatedA = clause('must', 'violated', 'a');

type Row = readonly [what: string, facts: Partial<RunFacts>, outcome: RunOutcome];

const rows: readonly Row[] = [
  ['all held', { clauses: [heldMust] }, 'conformant'],
  ['a must violated', { clauses: [heldMust, clause('must', 'violated')] }, 'not-conformant'],
  ['a must inconclusive', { clauses: [heldMust, clause('must', 'inconclusive')] }, 'inconclusive'],
  ['a must not applicable', { clauses: [heldMust, clause('must', 'not-applicable')] }, 'conformant'],
  ['a should violated', { clauses: [heldMust, clause('should', 'violated')] }, 'conformant'],
  ['a should inconclusive', { clauses: [heldMust, clause('should', 'inconclusive')] }, 'conformant'],
  ['observations only beside it', { clauses: [heldMust, clause('observe', 'observed')] }, 'conformant'],
  ['a judge of must crashed', { clauses: [heldMust, clause('must', 'crashed')] }, 'error'],
  ['a judge of observe crashed', { clauses: [heldMust, clause('observe', 'crashed')] }, 'error'],
  ['crashed and violated', { clauses: [clause('must', 'violated'), clause('must', 'crashed')] }, 'error'],
  [
    'violated and inconclusive',
    { clauses: [clause('must', 'violated'), clause('must', 'inconclusive')] },
    'not-conformant',
  ],
  ['nothing judged', { clauses: [] }, 'error'],
  ['no must judged', { clauses: [clause('must', 'not-applicable'), clause('should', 'held')] }, 'error'],
  ['incomplete', { clauses: [heldMust], incomplete: 'the target stopped answering' }, 'inconclusive'],
  ['incomplete before anything was judged', { clauses: [], incomplete: 'unreachable' }, 'inconclusive'],
  [
    'incomplete and violated',
    { clauses: [clause('must', 'violated')], incomplete: 'lost' },
    'not-conformant',
  ],
  [
    'a load scenario missing',
    { clauses: [heldMust], loadsMissing: ['messages-burst was not run'] },
    'inconclusive',
  ],
  ['a violation that is known', { clauses: [heldMust, violatedA], known: new Set(['a']) }, 'conformant'],
  [
    'another violation beside a known one',
    { clauses: [violatedA, clause('must', 'violated', 'b')], known: new Set(['a']) },
    'not-conformant',
  ],
  [
    'open only because of a known violation',
    { clauses: [violatedA, { ...clause('must', 'inconclusive'), because: ['a'] }], known: new Set(['a']) },
    'conformant',
  ],
  [
    'open because of a known violation and another',
    {
      clauses: [violatedA, { ...clause('must', 'inconclusive'), because: ['a', 'b'] }],
      known: new Set(['a']),
    },
    'inconclusive',
  ],
  [
    'something wrong with the list of known ones',
    { clauses: [heldMust], baselineProblems: ['a holds'] },
    'not-conformant',
  ],
  ['another error of this program', { clauses: [heldMust], errors: ['a verdict on no clause'] }, 'error'],
];

const nothing: RunFacts = {
  clauses: [],
  incomplete: null,
  loadsMissing: [],
  errors: [],
  known: new Set(),
  baselineProblems: [],
};

describe('settle', () => {
  it.each(rows)('%s: %o is %s', (_what, facts, outcome) => {
    const settled = settle({ ...nothing, ...facts });
    expect(settled.outcome).toBe(outcome);
    expect(settled.reasons.length > 0).toBe(outcome !== 'conformant');
  });

  it('names every clause that stands in the way', () => {
    const clauses = [heldMust, clause('must', 'inconclusive', 'a'), clause('must', 'inconclusive', 'b')];
    const { reasons } = settle({ ...nothing, clauses, incomplete: 'lost' });
    expect(reasons).toEqual(['the run is incomplete: lost', 'inconclusive: a, b']);
  });
});
