import type { RunOutcome } from './outcome.ts';
import { html } from './page/html.ts';
import type { Report } from './result.ts';

const label = 'rate limits';

/** What shields.io calls the colour, and the colour itself: white on it can be read (WCAG 2, 4.5 : 1). */
const colours: Readonly<Record<RunOutcome, readonly [name: string, fill: string]>> = {
  conformant: ['brightgreen', '#2a7a35'],
  'not-conformant': ['red', '#c0392b'],
  inconclusive: ['yellow', '#8a6100'],
  error: ['lightgrey', '#5f6368'],
};

/**
 * `badge.json`: an endpoint of shields.io, whose fields are `schemaVersion`, `label`, `message`, `color` and `isError`
 * (shields.io, "Endpoint Badge").
 */
export function renderBadge(report: Report): string {
  const badge = {
    schemaVersion: 1,
    label,
    message: messageOf(report),
    color: colours[report.outcome][0],
    ...(report.outcome === 'error' ? { isError: true } : {}),
  };
  return `${JSON.stringify(badge)}\n`;
}

/**
 * `badge.svg`: the same as a picture that needs nobody else, with the day of the run. It names no deployment, so that it
 * can stand where everybody sees it.
 */
export function renderBadgePicture(report: Report): string {
  const message = `${messageOf(report)}, ${report.startedAt.slice(0, 10)}`;
  const left = widthOf(label);
  const right = widthOf(message);
  const title = `${label}: ${message}`;
  const text = (at: number, words: string) =>
    html`<text x="${at + padding}" y="14" textLength="${widthOf(words) - 2 * padding}">${words}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${colours[report.outcome][1]}"/></g>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">${text(0, label)}${text(left, message)}</g>
</svg>
`.markup;
}

function messageOf({ outcome, counts: { must }, webhooks, baseline, window, mode }: Report): string {
  const judged = must.held + must.violated + must.inconclusive;
  const known = baseline?.known.length ?? 0;
  const violated = must.violated + (webhooks?.counts.must.violated ?? 0) - known;
  const messages: Readonly<Record<RunOutcome, string>> = {
    conformant: `${must.held} of ${judged} held${known === 0 ? '' : `, ${known} accepted`}`,
    'not-conformant': violated === 0 ? 'the baseline is out of date' : `${violated} violated`,
    inconclusive: 'inconclusive',
    error: 'error',
  };
  // What keeps a good verdict from being one on the document.
  const less = [
    ...(window.isDocumented ? [] : [`windows of ${window.ms / 1_000} s`]),
    ...(mode === 'full' ? [] : [`${mode} only`]),
  ];
  return [messages[outcome], ...(outcome === 'conformant' ? less : [])].join(', ');
}

const padding = 6;

/** About as wide as Verdana of 11 pixels is; `textLength` makes it exact whatever font there is. */
function widthOf(words: string): number {
  const narrow = words.match(/[ ,.:ijlt]/g)?.length ?? 0;
  return Math.round(narrow * 4 + (words.length - narrow) * 6.7) + 2 * padding;
}
