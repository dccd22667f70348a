import { isBeyondLongest, type Unknown } from '../../checks/identify/unknown.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { howMany } from '../../contract/quantities.ts';
import type { Endpoint } from './endpoint.ts';
import { silenceText } from './silence.ts';

/** What a run that ended at its bounds has to say. */
export function cutShortText(
  { requestsMax }: Pick<Endpoint, 'requestsMax'>,
  soFar: readonly Exchange[],
): string {
  return soFar.length >= requestsMax
    ? `stopped after ${howMany(soFar.length, 'request')}, as many as --requests allows: there was more to ask`
    : 'stopped when the time was up: there was more to ask, and --longest allows longer waits';
}

/** What the answers of a run leave to be said: a silence, and answers that say neither that a request passed nor that it did not. */
export function remarksOn(
  trace: readonly Exchange[],
  expected: Pick<Unknown, 'announcedMs' | 'windowMsMax'>,
): readonly string[] {
  const statuses = new Set(
    trace.filter(({ outcome }) => outcome === 'admitted').map(({ status }) => status ?? 0),
  );
  const others = [...statuses].filter((status) => status >= 300).sort();
  const unanswered = trace.filter(({ outcome }) => outcome === 'indeterminate').length;
  const failed = trace.filter(({ outcome }) => outcome === 'refused').map(({ status }) => status ?? 0);
  const failures = [...new Set(failed)].sort().join(', ');
  const silence = silenceText(trace, isBeyondLongest(expected) ? (expected.announcedMs ?? null) : null);
  return [
    ...(silence === null ? [] : [silence]),
    ...(others.length === 0 ? [] : [`answers with status ${others.join(', ')} were taken for admitted`]),
    ...(failed.length === 0
      ? []
      : [`${howMany(failed.length, 'answer')} with status ${failures} may or may not have counted`]),
    ...(unanswered === 0
      ? []
      : [
          `${howMany(unanswered, 'request')} ${unanswered === 1 ? 'was' : 'were'} not answered and may have counted`,
        ]),
  ];
}
