import { expect, test } from 'vitest';
import { hostile } from '../testing/fixtures.ts';
import { html, nothing, scriptJson } from './html.ts';

test('text stays text, in elements and in attributes', () => {
  expect(html`<p title="${'"><script>'}">${"<b>'&'</b>"}</p>`.markup).toBe(
    '<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&#39;&amp;&#39;&lt;/b&gt;</p>',
  );
});

test('markup made here is put in as it is, alone or in a row', () => {
  const rows = ['a', '<'].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${rows}${nothing}</ul>${3}`.markup).toBe('<ul><li>a</li><li>&lt;</li></ul>3');
});

test('no text in JSON ends the script that holds it, and all of it comes back', () => {
  const value = { hostile, ends: '</script><!-- <script>' };
  const { markup } = scriptJson(value);
  expect(markup).not.toContain('<');
  expect(JSON.parse(markup)).toEqual(value);
});
