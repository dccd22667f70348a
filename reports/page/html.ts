/** Markup that is safe to write into a page. */
export type Html = { readonly markup: string };

type Part = string | number | Html | readonly Html[];

/**
 * Markup from a template. Every value is escaped, except for markup made by this function. For elements and quoted
 * attributes; not for scripts or styles.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = strings.reduce((so, string, at) => so + markupOf(parts[at - 1] ?? '') + string);
  return { markup };
}

/** No markup: a part of a page that is left out. */
export const nothing: Html = { markup: '' };

/** JSON inside a `<script>` of a page: no text in it can end the script. */
export function scriptJson(value: unknown): Html {
  return { markup: JSON.stringify(value).replaceAll('<', '\\u003c') };
}

function markupOf(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
