import { expect, test } from 'vitest';
import type { FaultRow, HostileRow } from './campaign.ts';
import { hostileText, problemsOf } from './hostile-text.ts';

const row = (more: Partial<HostileRow>): HostileRow => ({
  seed: 1,
  network: 'latency',
  service: 'as documented',
  wrong: [],
  open: [],
  held: ['limits.media', 'headers.present'],
  incomplete: null,
  traceFile: null,
  ...more,
});

const fault = (more: Partial<FaultRow>): FaultRow => ({
  fault: 'fixed-window',
  how: 'violated',
  wrong: [],
  incomplete: null,
  traceFile: null,
  ...more,
});

test('the tables say what each network and each clause left open', () => {
  const rows = [
    row({}),
    row({ network: 'reset', held: ['headers.present'], open: ['limits.media'] }),
    row({ network: 'reset', incomplete: 'the service was gone', held: ['headers.present'], open: [] }),
  ];
  const short = fault({ fault: 'window-long-by-50-ms', how: 'falls short' });
  const figures = { rows, faults: [fault({}), short], roundTripMsMax: 200, seconds: 61.2 };
  expect(hostileText(figures)).toBe(
    [
      'network              runs  false  broken off  open clauses',
      'latency                 1      0           0         0.0 %',
      'reset                   2      0           1        33.3 %',
      'all                     3      0           1        20.0 %',
      '',
      'clause                         judged    open',
      'limits.media                        2    50 %',
      'headers.present                     3     0 %',
      '',
      'runs      3 against services that conform, 2 against services with a fault, in 61 s',
      'false     0 of the runs against services that conform',
      'caught    2 of 2 faults, at up to 200 ms there and back; as shortcomings alone: window-long-by-50-ms',
      '',
    ].join('\n'),
  );
  expect(problemsOf(figures)).toEqual([]);
});

test('a false verdict, a fault that is missed and one that is blamed for more are problems, with their traces', () => {
  const rows = [row({ wrong: ['limits.media'], traceFile: 'a/trace.ndjson' })];
  const faults = [
    fault({ how: 'missed', incomplete: 'the service was gone', traceFile: 'b/trace.ndjson' }),
    fault({ fault: 'unlimited', wrong: ['headers.present'], traceFile: 'c/trace.ndjson' }),
  ];
  expect(problemsOf({ rows, faults })).toEqual([
    'seed 1 (latency, service as documented): limits.media violated: a/trace.ndjson',
    'unlimited: headers.present violated too: c/trace.ndjson',
    'fixed-window: not caught (the service was gone): b/trace.ndjson',
  ]);
});
