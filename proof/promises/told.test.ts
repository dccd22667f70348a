import fc from 'fast-check';
import { expect, test } from 'vitest';
import { examine } from '../../judge/examine.ts';
import { buildReport } from '../../reports/build-report.ts';
import { renderJunit } from '../../reports/junit.ts';
import { renderMarkdown } from '../../reports/markdown.ts';
import { renderReportPage } from '../../reports/page/report-page.ts';
import { reportSchema } from '../../reports/result.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import { findFault } from '../../service/faults.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';
import { drawnDocument } from './drawn-document.ts';
import { serviceOf } from './promise-run.ts';

/** The service as documented, and faults that any document can have. */
const faults = [
  null,
  'limit-plus-one',
  'unlimited',
  'window-half',
  'two-bucket',
  'costs-twice',
  'headers-missing-on-429',
  'remaining-low-by-one',
  'reset-as-delta',
  'refusal-retry-after-zero',
] as const;

/** What a program says where it has lost a value. */
const lost = /\b(undefined|NaN|Infinity|null s)\b|\[object/;

// `npm run properties -- proof/promises/told.test.ts` draws as many as one has time for.
test('whatever a document says, a report on it is whole, and tells no value that was lost', () => {
  fc.assert(
    fc.property(drawnDocument, fc.constantFrom(...faults), (document, name) => {
      const fault = name === null ? undefined : findFault(name);
      const service = serviceOf(document, null, fault === undefined ? [] : [fault]);
      const trace = simulatedTrace(service, calmWorld, 1, openingOf(document));
      const { judgement, identified, pictures, failures } = examine(trace);
      expect(failures).toEqual([]);
      const report = buildReport({
        ...{ trace, judgement, identified, pictures },
        judgedAt: new Date(0).toISOString(),
      });
      // What is saved has no number where JSON has none for it.
      expect(reportSchema.safeParse(JSON.parse(JSON.stringify(report))).error).toBeUndefined();
      const page = renderReportPage(
        { report, faults: [], past: [], frontier: null },
        { style: '', script: '' },
      );
      const told = [
        renderMarkdown(report),
        renderJunit(report),
        renderTerminal(report, { columns: 100, colour: 'never' }),
        page.replaceAll(/<script[\s\S]*?<\/script>/g, ''),
      ];
      for (const text of told) expect(lost.exec(text)?.[0]).toBeUndefined();
    }),
    { numRuns: 12, seed: 20_261_127 },
  );
});
