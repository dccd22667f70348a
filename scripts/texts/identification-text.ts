import type { Algorithm, Candidate, Identification } from '../../contract/identification.ts';

/** What each algorithm does, for people. */
const meanings: Readonly<Record<Algorithm, string>> = {
  'sliding-log': 'each request leaves a rolling window of its own accord; rejected ones take no place',
  'sliding-log-counting-rejections':
    'each request leaves a rolling window of its own accord; rejected ones take a place too',
  'sub-window-log': 'a rolling window counted in sub-windows, which leave it as a whole',
  'fixed-window-wall-clock': 'the count begins anew at whole multiples of the window by the wall clock',
  'fixed-window-first-request': 'the count begins anew a window after the first request',
  'fixed-window-phase': 'the count begins anew at regular moments of its own',
  'two-bucket': 'a count per window, that of the window before weighted by what is left of it',
  'token-bucket': 'capacity comes back evenly, up to a whole window’s',
  'leaky-bucket': 'capacity comes back evenly, whatever the burst',
  'extend-on-reject': 'each rejected request begins the block anew',
  unidentified: 'nothing known explains the answers',
};

/** An identification as text for people: what it is, its parameters, and how much is known of them. */
export function identificationText(found: Identification): string {
  const { algorithm, limit, windowSeconds, perSecondCap, rejectionsCount, tied, nearest } = found;
  const names = typeof algorithm === 'string' ? [algorithm] : algorithm;
  const lines = [
    ...names.map((name, at) => `${at === 0 ? 'algorithm   ' : '        or  '}${name}: ${meanings[name]}`),
    ...(limit === null ? [] : [`limit       ${limit} ${windowText(windowSeconds)}`]),
    ...phaseLines(found),
    ...(found.granularitySeconds === null ? [] : [`granularity ${found.granularitySeconds} s`]),
    ...(perSecondCap === null ? [] : [`cap         ${perSecondCap} in any second`]),
    ...(rejectionsCount === null
      ? []
      : [`rejections  ${rejectionsCount ? 'take a place' : 'take no place'}`]),
    ...tied.slice(1).map((one) => `otherwise   ${candidateText(one)}`),
    ...(nearest === null
      ? []
      : [`nearest     ${candidateText(nearest)}, contradicted ${found.contradictions} times`]),
    ...found.remarks.map((remark) => `            ${remark}`),
    `from        ${found.requests} requests in ${found.seconds.toFixed(1)} s`,
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
