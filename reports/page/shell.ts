import { createHash } from 'node:crypto';
import { type Html, html, scriptJson } from './html.ts';
import type { PageData } from './page-data.ts';

/** The bundled program that draws the charts of a page, and its style. */
export type PageAssets = { readonly script: string; readonly style: string };

export type PageParts = {
  readonly title: string;
  readonly body: Html;
  /** What the charts show. */
  readonly data: PageData;
};

/**
 * A whole page in one file. Its policy forbids all requests, and all scripts but its own. So nothing can leave the page,
 * whatever a target wrote into an answer.
 */
export function renderShell({ title, body, data }: PageParts, { script, style }: PageAssets): string {
  const hash = createHash('sha256').update(script).digest('base64');
  // Charts add style elements to the page; since no source is allowed, these can load nothing.
  const policy =
    `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'";
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
${body}
<script type="application/json" id="page-data">${scriptJson(data)}</script>
<script>${{ markup: script }}</script>
</body>
</html>
`;
  return markup;
}
