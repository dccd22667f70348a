import { expect, it, test } from 'vitest';
import { clauses, type DecidedClauseId, findClause } from '../../contract/clauses/registry.ts';
import { caseOf } from '../../judge/case.ts';
import { certificatesOf } from '../../judge/certificates/certify.ts';
import { judgeCase, judgeTrace } from '../../judge/judge-trace.ts';
import { flawsOf } from '../../judge/testing/certified.ts';
import { examine } from '../faults/examine.ts';
import { reference } from '../faults/subjects.ts';
import { smallSubjects, smallTraceOf } from './small-subjects.ts';

const named = smallSubjects.map((subject) => ({ name: subject.name, subject }));

it.each(named)('$name: what it must violate is violated and proved, and nothing else', ({ subject }) => {
  const examined = caseOf(smallTraceOf(subject));
  const judgement = judgeCase(examined);
  const { discrepancies, violated } = examine(subject, judgement);
  expect(discrepancies).toEqual([]);
  const proven = new Map(certificatesOf(examined, judgement).map((one) => [one.clause, one]));
  const unproven = violated.filter((id) => {
    const certificate = proven.get(id as DecidedClauseId);
    return findClause(id)?.level !== 'observe' && flawsOf(certificate).length > 0;
  });
  expect(unproven).toEqual([]);
});

test('all that needs no load is held by a service as documented', () => {
  const { clauses: judged } = judgeTrace(smallTraceOf(reference));
  const demanded = clauses.filter(({ level, needs }) => level === 'must' && needs !== 'load');
  const kinds = demanded.map(({ id }) => [id, judged.find(({ clause }) => clause === id)?.verdict.kind]);
  expect(kinds).toEqual(demanded.map(({ id }) => [id, 'held']));
});
