import type { Candidate, Identification } from '../../contract/identification.ts';
import {
  limiterConsequences,
  limiterMeaning,
  limiterName,
  pauseText,
  windowLengthText,
} from '../../contract/limiter-words.ts';
import { seconds } from '../../contract/quantities.ts';

/** An identification as text for people: the algorithm, its parameters, and how exactly they are known. */
export function identificationText(found: Identification): string {
  const { algorithm, limit, windowSeconds, perSecondCap, rejectionsCount, tied, nearest } = found;
  const names = typeof algorithm === 'string' ? [algorithm] : algorithm;
  const lines = [
    ...names.map(
      (name, at) =>
        `${at === 0 ? 'algorithm   ' : '        or  '}${limiterName(name)} (${name}): ${limiterMeaning(name)}`,
    ),
    ...limiterConsequences(found).map((line) => `            ${line}`),
    ...(limit === null
      ? []
      : [
          `limit       ${limit} ${windowText(windowSeconds)}`,
          '            of requests like this one; a limiter by which each of them costs c is set to c times as much',
        ]),
    ...phaseLines(found),
    ...(found.granularitySeconds === null ? [] : [`granularity ${found.granularitySeconds} s`]),
    ...(found.forgottenAfterSeconds === undefined
      ? []
      : [`forgotten   when nothing was asked for ${pauseText(found.forgottenAfterSeconds)}`]),
    ...(perSecondCap === null ? [] : [`cap         ${perSecondCap} in any second${bucketText(found)}`]),
    ...(found.shorterWindow === null || perSecondCap !== null
      ? []
      : [
          `and         ${found.shorterWindow.limit} in ${found.shorterWindow.windowSeconds} s${bucketText(found)}`,
        ]),
    ...(rejectionsCount === null ? [] : [`rejections  ${rejectionsCount ? 'count' : 'do not count'}`]),
    ...tied.slice(1).map((one) => `otherwise   ${candidateText(one)}`),
    ...found.notRuledOut.map((one) => `possible    ${candidateText(one)}; few are set so`),
    ...(nearest === null
      ? []
      : [`nearest     ${candidateText(nearest)}, contradicted ${found.contradictions} times`]),
    ...found.remarks.map((remark) => `            ${remark}`),
    `from        ${found.requests} requests in ${seconds(found.seconds * 1_000, 1)}`,
  ];
  return lines.join('\n');
}

function bucketText({ shorterWindow }: Identification): string {
  return shorterWindow?.isBucket === true ? ', as a token bucket: up to twice as many after a pause' : '';
}

function phaseLines({ phaseSeconds }: Identification): readonly string[] {
  if (phaseSeconds === null) return [];
  const { low, high } = phaseSeconds;
  return [`boundaries  ${low} to ${high} s after whole multiples of the window since the Unix epoch`];
}

function candidateText({ algorithm, limit, windowSeconds }: Candidate): string {
  return `${limiterName(algorithm)} (${algorithm}), ${limit} ${windowText(windowSeconds)}`;
}

function windowText(length: Identification['windowSeconds']): string {
  if (length === null) return '';
  const { low, high } = length;
  const bounds = high === null ? `at least ${low} s` : `between ${low} and ${high} s`;
  return `in ${windowLengthText(length)} (the window is ${bounds})`;
}
