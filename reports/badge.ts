import type { RunOutcome } from './outcome.ts';
import type { Report } from './result.ts';

const colours: Readonly<Record<RunOutcome, string>> = {
  conformant: 'brightgreen',
  'not-conformant': 'red',
  inconclusive: 'yellow',
  error: 'lightgrey',
};

/**
 * `badge.json`: an endpoint of shields.io, whose fields are `schemaVersion`, `label`, `message`, `color` and `isError`
 * (shields.io, "Endpoint Badge").
 */
export function renderBadge({ outcome, counts: { must }, baseline }: Report): string {
  const judged = must.held + must.violated + must.inconclusive;
  const known = baseline?.known.length ?? 0;
  const messages: Readonly<Record<RunOutcome, string>> = {
    conformant: `${must.held} of ${judged} held${known === 0 ? '' : `, ${known} accepted`}`,
    'not-conformant': `${must.violated - known} violated`,
    inconclusive: 'inconclusive',
    error: 'error',
  };
  const badge = {
    schemaVersion: 1,
    label: 'rate limits',
    message:
      outcome === 'not-conformant' && must.violated === known
        ? 'the baseline is out of date'
        : messages[outcome],
    color: colours[outcome],
    ...(outcome === 'error' ? { isError: true } : {}),
  };
  return `${JSON.stringify(badge)}\n`;
}
