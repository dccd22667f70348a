import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';

/**
 * Traces that this program wrote in the past, each named after the first commit that wrote them so: `load media-burst` with
 * k6, and `checks --light`, both with windows of 2 s. Those of before are in judge/testdata. Nobody writes them again.
 */
const folder = join(import.meta.dirname, 'testdata');

const names = readdirSync(folder).toSorted();

function textOf(name: string): string {
  return gunzipSync(readFileSync(join(folder, name))).toString('utf8');
}

/** Ids of clauses by their verdicts. */
function idsOf(text: string, kind: string): readonly string[] {
  const { clauses } = judgeTrace(parseTrace(text));
  return clauses.filter(({ verdict }) => verdict.kind === kind).map(({ clause }) => clause);
}

const heldByLight = [
  'auth.bearer',
  'error.other-shape',
  'headers.limit',
  'headers.present',
  'headers.remaining',
  'headers.reset',
];

const heldByLoad = [
  'auth.bearer',
  'error.code',
  'error.content-type',
  'error.message',
  'error.message-text',
  'error.other-shape',
  'error.retry-after',
  'error.retry-after-length',
  'error.shape',
  'error.status',
  'headers.limit',
  'headers.present',
  'headers.remaining',
  'headers.remaining-on-429',
  'headers.reset',
  'load.media-burst',
];

describe('a trace of any earlier version', () => {
  it('is kept for each way of writing it', () => {
    expect(names).toHaveLength(16);
  });

  it.each(names)('%s is read and judged as it was', (name) => {
    const text = textOf(name);
    for (const kind of ['violated', 'crashed']) expect(idsOf(text, kind)).toEqual([]);
    expect(idsOf(text, 'held').toSorted()).toEqual(name.includes('load') ? heldByLoad : heldByLight);
  });

  it.each(names)('%s is read where the run died before its end', (name) => {
    const text = textOf(name);
    const died = text.slice(0, text.lastIndexOf('{"kind":"end"'));
    expect(parseTrace(died).end).toBeNull();
    expect(idsOf(died, 'violated')).toEqual([]);
    expect(idsOf(died, 'crashed')).toEqual([]);
  });
});
