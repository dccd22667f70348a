import { cut } from '../../reports/terminal/layout.ts';
import { tableLines } from '../../reports/terminal/table.ts';
import type { RequestCost } from './cost.ts';
import type { RunPlan } from './run-plan.ts';

/** The plan for the first lines of a run: how much, how fast, how long, what stays behind, and what is left out. */
export function planText(plan: RunPlan): readonly string[] {
  return [sumText(plan), ...tooMuchLines(plan), ...effectLines(plan), ...remarks(plan)];
}

/** The plan in full, in lines of at most 72 characters where nothing longer is named. */
export function planLines(plan: RunPlan): readonly string[] {
  const probes = plan.scopes.map(({ scope, requestsMax }) => `${scope} ${requestsMax}`);
  const scenarios = plan.load.map(({ planned }) => `${planned.scenario.name} ${planned.requests}`);
  return [
    sumText(plan),
    ...tooMuchLines(plan),
    ...watchLines(plan),
    ...costLines(plan.cost),
    ...effectLines(plan),
    ...(probes.length === 0 ? [] : [`probes: ${probes.join(', ')}`]),
    ...(scenarios.length === 0 ? [] : [`k6: ${scenarios.join(', ')}`]),
    ...remarks(plan),
  ];
}

function sumText(plan: RunPlan): string {
  const { requestsMax, peakRequestsPerSecond, seconds } = plan;
  return (
    `at most ${requestsMax} requests, ${peakRequestsPerSecond} a second at peak, in about ${seconds} s; ` +
    `${bytesText(bytesOf(plan))} sent`
  );
}

/** How long it may take where more is sent until enough has been seen. */
function tooMuchLines({ seconds, tooMuchSeconds }: RunPlan): readonly string[] {
  if (tooMuchSeconds === 0) return [];
  return [`up to ${seconds + tooMuchSeconds} s where a limit lets too much pass: it is watched longer`];
}

/** What takes longer than usual, and why. */
function watchLines({ watchSeconds }: RunPlan): readonly string[] {
  if (watchSeconds === 0) return [];
  return [
    `up to ${watchSeconds} s more where a service counts more requests than were sent:`,
    'then the run waits to see whether others use the key',
  ];
}

/** What all requests of a run have together, about; in proportion where `maxRequests` keeps it from sending all. */
export function bytesOf({ cost, requestsMax, requestsWanted }: RunPlan): number {
  const wanted = cost.reduce((sum, { bytes }) => sum + bytes, 0);
  return Math.round((wanted * requestsMax) / Math.max(1, requestsWanted));
}

const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** `0.9 MB`, `79 GB`: an estimate needs no more figures. */
export function bytesText(bytes: number): string {
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3) - 1));
  const value = bytes / 1_000 ** (at + 1);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[at]}`;
}

const requestWidth = 36;

function costLines(cost: readonly RequestCost[]): readonly string[] {
  const rows = cost.map(({ requests, requestsMax, admittedMax }) => [
    cut(requests.join(', '), requestWidth),
    String(requestsMax),
    String(admittedMax),
  ]);
  return tableLines([['at most', 'sent', 'admitted, if limits are kept'], ...rows], {
    alignments: ['left', 'right', 'left'],
  });
}

const nouns: Readonly<Record<string, string>> = {
  standard: 'requests to standard routes',
  messages: 'messages',
  media: 'uploads',
  otherError: 'requests for another error',
};

/** What requests that change something leave behind; nothing where there are none. */
function effectLines({ cost, requestsMax: most }: RunPlan): readonly string[] {
  const changing = cost.filter(({ takesEffect, admittedMax }) => takesEffect && admittedMax > 0);
  if (changing.length === 0) return [];
  const what = (count: (one: RequestCost) => number): string =>
    changing
      .map((one) => `${Math.min(most, count(one))} ${nouns[one.subject] ?? `requests to ${one.subject}`}`)
      .join(' and ');
  return [
    `real: up to ${what(({ admittedMax }) => admittedMax)} take effect;`,
    `where limits are not kept, up to ${what(({ requestsMax }) => requestsMax)}`,
  ];
}

/** What else is worth knowing before it begins. */
function remarks(plan: RunPlan): readonly string[] {
  return [
    ...(plan.unannouncedSeed === undefined
      ? []
      : [`unannounced: gaps, sizes and order are drawn from the seed ${plan.unannouncedSeed}`]),
    ...(plan.keyless === 0
      ? []
      : [
          `${plan.keyless} of them without a valid key: some services shut an address out`,
          'for that (probeWithoutKey: false sends none)',
        ]),
    ...(plan.requestsWanted <= plan.requestsMax
      ? []
      : [
          `the probes may need ${plan.requestsWanted}: where they do, the run ends at ${plan.requestsMax}`,
          'and is incomplete (--max-requests)',
        ]),
    ...plan.leftOut.map(({ scenario, reason }) => `${scenario} is left out: ${reason}`),
    ...(plan.idleSeconds === 0
      ? []
      : [
          `k6 waits ${plan.idleSeconds} s in all for keys that were used before to be idle`,
          'again; more keys save that',
        ]),
  ];
}
