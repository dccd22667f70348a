import { expect, test } from 'vitest';
import { findClause } from '../../contract/clauses/registry.ts';
import { caseOf } from '../../judge/case.ts';
import { certificatesOf } from '../../judge/certificates/certify.ts';
import { judgeCase } from '../../judge/judge-trace.ts';
import { flawsOf } from '../../judge/testing/certified.ts';
import { faultSubjects, variantSubjects } from '../faults/subjects.ts';
import { wholeTrace } from '../faults/whole-run.ts';

test.each([...faultSubjects, ...variantSubjects])(
  'each violation of a run with $name has a complete certificate',
  ({ open, setting }) => {
    const subject = caseOf(wholeTrace({ service: open(), setting, seed: 1 }));
    const judgement = judgeCase(subject);
    const violated = judgement.clauses.filter(
      ({ clause, verdict }) => verdict.kind === 'violated' && findClause(clause)?.level !== 'observe',
    );
    const proven = certificatesOf(subject, judgement);
    expect(proven.map(({ clause }) => clause)).toEqual(violated.map(({ clause }) => clause));
    expect(proven.flatMap(flawsOf)).toEqual([]);
  },
);
