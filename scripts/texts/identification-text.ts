import type { Algorithm, Candidate, Identification } from '../../contract/identification.ts';
import { seconds } from '../../contract/quantities.ts';

/** What each algorithm does, for people. */
const meanings: Readonly<Record<Algorithm, string>> = {
  'sliding-log': 'each request leaves the rolling window at its own time; rejected ones do not count',
  'sliding-log-counting-rejections':
    'each request leaves the rolling window at its own time; rejected ones count too',
  'sub-window-log': 'a rolling window in sub-windows; the requests of a sub-window leave together',
  'fixed-window-wall-clock': 'the count starts again at whole multiples of the window by the wall clock',
  'fixed-window-first-request': 'the count starts again one window after the first request',
  'fixed-window-phase': 'the count starts again at regular times of its own',
  'two-bucket': 'the count of this window, and a part of the count of the window before',
  'token-bucket': 'capacity comes back evenly, up to the limit of a whole window',
  'leaky-bucket': 'capacity comes back evenly, whatever the size of the burst',
  'extend-on-reject': 'each rejected request starts the block again',
  unidentified: 'no known limiter explains the answers',
};

/** An identification as text for people: the algorithm, its parameters, and how exactly they are known. */
export function identificationText(found: Identification): string {
  const { algorithm, limit, windowSeconds, perSecondCap, rejectionsCount, tied, nearest } = found;
  const names = typeof algorithm === 'string' ? [algorithm] : algorithm;
  const lines = [
    ...names.map((name, at) => `${at === 0 ? 'algorithm   ' : '        or  '}${name}: ${meanings[name]}`),
    ...(limit === null ? [] : [`limit       ${limit} ${windowText(windowSeconds)}`]),
    ...phaseLines(found),
    ...(found.granularitySeconds === null ? [] : [`granularity ${found.granularitySeconds} s`]),
    ...(perSecondCap === null ? [] : [`cap         ${perSecondCap} in any second`]),
    ...(rejectionsCount === null ? [] : [`rejections  ${rejectionsCount ? 'count' : 'do not count'}`]),
    ...tied.slice(1).map((one) => `otherwise   ${candidateText(one)}`),
    ...(nearest === null
      ? []
      : [`nearest     ${candidateText(nearest)}, contradicted ${found.contradictions} times`]),
    ...found.remarks.map((remark) => `            ${remark}`),
    `from        ${found.requests} requests in ${seconds(found.seconds * 1_000, 1)}`,
  ];
  return lines.join('\n');
}

function phaseLines({ phaseSeconds }: Identification): readonly string[] {
  if (phaseSeconds === null) return [];
  const { low, high } = phaseSeconds;
  return [`boundaries  ${low} to ${high} s after whole multiples of the window since the Unix epoch`];
}

function candidateText({ algorithm, limit, windowSeconds }: Candidate): string {
  return `${algorithm}, ${limit} ${windowText(windowSeconds)}`;
}

function windowText(length: Identification['windowSeconds']): string {
  if (length === null) return '';
  const { value, low, high } = length;
  const bounds = high === null ? `at least ${low} s` : `between ${low} and ${high} s`;
  return `in ${value} s (the window is ${bounds})`;
}
