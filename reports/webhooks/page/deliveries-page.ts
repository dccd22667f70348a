import { grouped, howMany, howManyAre } from '../../../contract/quantities.ts';
import { type Html, html, nothing } from '../../page/html.ts';
import { plainText } from '../../plain-text.ts';
import {
  bodyCharactersMax,
  type DeliveriesPage,
  detailBytesMax,
  lineCharactersMax,
  type PageDeliveries,
  type PageDelivery,
  type PageGroup,
  type PageLine,
  type PageVerdict,
} from './page-delivery.ts';

/** What this page needs beyond the style of all pages. */
const ownStyle = `
.delivery summary{display:flex;gap:.9rem;flex-wrap:wrap;align-items:baseline}
.delivery summary b{min-width:9rem}
.delivery pre,.all pre{overflow-x:auto;background:var(--surface);border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem;margin:.3rem 0 .9rem;white-space:pre-wrap}
.all pre{white-space:pre;max-height:40rem;overflow-y:auto}
.delivery .copy{user-select:all}
.delivery .try{border-left:3px solid var(--line-strong);padding-left:1rem;margin:.6rem 0 1.2rem}
.delivery h4{margin:.9rem 0 .2rem}
`;

/**
 * A whole page in one file, without a script: its policy forbids all scripts and all requests, whatever a sender wrote.
 * @param style of all pages.
 */
export function renderDeliveriesPage(page: DeliveriesPage, style: string): string {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${plainText(page.title, 200)}</title>
<style>${{ markup: style + ownStyle }}</style>
</head>
<body>
<main>
${verdictSection(page)}
${verdictsSection(page.verdicts)}
${deliveriesSection(page)}
</main>
</body>
</html>
`.markup;
}

function verdictSection({ of, word, tone, counts, notices, facts }: DeliveriesPage): Html {
  return html`<section class="verdict" aria-labelledby="verdict-word">
<p class="of">${plainText(of, 300)}</p>
<h1 id="verdict-word" class="tone-${tone}">${word}</h1>
<p class="counts">${counts}</p>
${notices.length === 0 ? nothing : html`<ul class="notices">${notices.map((text) => html`<li>${plainText(text, 600)}</li>`)}</ul>`}
<dl class="facts">${facts.map(([label, text]) => html`<div><dt>${label}</dt><dd>${plainText(text, 300)}</dd></div>`)}</dl>
</section>`;
}

function verdictsSection(verdicts: readonly PageVerdict[]): Html {
  return html`<section aria-labelledby="verdicts-title"><h2 id="verdicts-title">Verdicts</h2>
${verdicts.map(
  ({
    id,
    title,
    word,
    tone,
    said,
  }) => html`<details class="clause"><summary><span class="word tone-${tone}">${word}</span><span class="name"><b>${title}</b><code>${id}</code></span>
<span class="said">${plainText(said, 300)}</span></summary><p>${plainText(said, 3_000)}</p></details>`,
)}</section>`;
}

function deliveriesSection({ deliveries, folder }: DeliveriesPage): Html {
  if (deliveries.total === 0) return nothing;
  const shown = inFull(deliveries.groups, folder);
  const left = deliveries.total - shown.reduce((sum, { group }) => sum + group.length, 0);
  const rest =
    left === 0
      ? nothing
      : html`<p class="quiet">${howManyAre(left, 'more delivery')} in the list below, and whole in the trace. Those that show what is wrong come first here, then those that came again.</p>`;
  return html`<section aria-labelledby="deliveries-title"><h2 id="deliveries-title">Deliveries</h2>
${rest}
${shown.map(({ markup }) => markup)}
${allLines(deliveries)}</section>`;
}

type InFull = { readonly group: PageGroup; readonly markup: Html };

/** Groups in full while there is room, in the order of their first deliveries. */
function inFull(groups: readonly PageGroup[], folder: string): readonly InFull[] {
  const inOrder = (['flawed', 'repeated', 'single'] as const).flatMap((wanted) =>
    groups.filter(({ sort }) => sort === wanted),
  );
  const shown: InFull[] = [];
  let bytes = 0;
  for (const group of inOrder) {
    const markup = groupEntry(group, folder);
    bytes += Buffer.byteLength(markup.markup);
    if (bytes > detailBytesMax && shown.length > 0) break;
    shown.push({ group, markup });
  }
  return shown.toSorted((a, b) => (a.group.tries[0]?.index ?? 0) - (b.group.tries[0]?.index ?? 0));
}

function groupEntry({ tries, last, length }: PageGroup, folder: string): Html {
  const [first] = tries;
  if (first === undefined) return nothing;
  const times = length === 1 ? '' : `${length} times, last `;
  const more = length - tries.length;
  return html`<details class="clause delivery" id="delivery-${first.index}"><summary><span class="quiet">${timeText(first.atMs)}</span><b>${plainText(first.name, 60)}</b><code>${plainText(first.about, 60)}</code>${first.signatureWord === '' ? nothing : html`<span>signature ${first.signatureWord}</span>`}<span>${times}${plainText(last.answer, 120)}</span></summary>
${tries.map((one, at) => tryEntry(one, at, folder))}
${more > 0 ? html`<p class="quiet">and ${howMany(more, 'more time')}</p>` : nothing}</details>`;
}

function tryEntry(one: PageDelivery, at: number, folder: string): Html {
  const { index, request, headers, body, signature, answer, said } = one;
  return html`<div class="try">
<p>${at === 0 ? '' : 'Again '}${timeText(one.atMs)}, delivery ${index}: ${plainText(answer, 300)}</p>
${said === null || said === '' ? nothing : html`<pre>${plainText(said, bodyCharactersMax)}</pre>`}
<h4>Signature</h4><p>${plainText(signature, 600)}</p>
<h4>Headers</h4><pre>${[request, ...headers.map(([name, value]) => `${name}: ${value}`)].map(
    (line) => html`${plainText(line, lineCharactersMax)}
`,
  )}</pre>
${body === null ? html`<p class="quiet">The body is no text, or not whole: the trace has it.</p>` : bodyParts(body)}
<h4>Send it again</h4><pre class="copy">${`npm run conformance -- webhooks replay ${folder} --only ${index} --to http://127.0.0.1:3000/hooks`}</pre></div>`;
}

function bodyParts(body: string): Html {
  const raw = html`<h4>Body, raw</h4><pre>${plainText(body, bodyCharactersMax)}</pre>`;
  const pretty = prettyText(body);
  if (pretty === null) return raw;
  const lines = pretty.slice(0, bodyCharactersMax).split('\n');
  return html`<h4>Body</h4><pre>${lines.map(
    (line) => html`${plainText(line, bodyCharactersMax)}
`,
  )}</pre>${raw}`;
}

/** `null` where it is no JSON, or nests too deep to be written. */
function prettyText(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return null;
  }
}

/** A line each: with ten thousand of them there is no room for more. */
function allLines({ lines, total }: PageDeliveries): Html {
  const left = total - lines.length;
  const more = left > 0 ? [`… and ${grouped(left)} more in the trace`] : [];
  return html`<details class="clause all"><summary><b>${total === 1 ? 'The delivery in a line' : `All ${grouped(total)} deliveries, a line each`}</b></summary>
<pre tabindex="0">${[...lines.map(lineOf), ...more].join('\n')}</pre></details>`;
}

function lineOf({ index, atMs, name, about, signatureWord, answer }: PageLine): string {
  const text = `${timeText(atMs)} ${name.replace(/^message\./, '')} ${about} ${signatureWord} ${answer}`;
  return `${String(index).padStart(5)} ${plainText(text.slice(0, 60), 60)}`;
}

/** UTC, to the millisecond. */
function timeText(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 23);
}
