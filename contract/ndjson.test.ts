import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { formatLine, kindOfTrace, readLines, splitHeader, TraceError } from './ndjson.ts';

const schema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('trace'), run: z.string() }),
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.literal('look'), at: z.object({ ms: z.number(), s: z.number() }) }),
]);
const header = { kind: 'trace', run: 'r' } as const;
const note = (text: string) => ({ kind: 'note', text }) as const;
const read = (rows: string | Iterable<string>) => [...readLines(rows, schema)];

describe('reading lines', () => {
  it('gives those of a text and those of its rows', () => {
    const lines = [header, note('ä"\n'), note('')];
    const text = lines.map(formatLine).join('');
    expect(read(text)).toEqual(lines);
    expect(read(text.split('\n'))).toEqual(lines);
    expect(read('')).toEqual([]);
  });

  it('asks for one row beyond the line that it gives, never for all of them', () => {
    let asked = 0;
    function* endless() {
      for (;;) {
        asked += 1;
        yield JSON.stringify(note(String(asked)));
      }
    }
    const lines = readLines(endless(), schema);
    expect([lines.next().value, lines.next().value]).toEqual([note('1'), note('2')]);
    expect(asked).toBe(3);
  });

  it('reads a last line without a line break where it is whole', () => {
    const text = [header, note('last')].map(formatLine).join('');
    expect(read(text.slice(0, -1))).toEqual([header, note('last')]);
    expect(read(JSON.stringify(header))).toEqual([header]);
  });

  it.each(['{"kind":"no', '{"kind":"note"}', 'nonsense', 'null'])('drops a last line like %s', (last) => {
    expect(read(formatLine(header) + last)).toEqual([header]);
  });

  it('gives exactly the lines that were written whole, wherever the writing ended', () => {
    const written = fc.array(fc.string(), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(written, fc.double({ min: 0, max: 1, noNaN: true }), (texts, share) => {
        const lines = [header, ...texts.map(note)];
        const rows = lines.map(formatLine);
        const [first = ''] = rows;
        const text = rows.join('');
        const cut = Math.max(first.length, Math.floor(share * text.length));
        const whole = lines.filter((_, at) => rows.slice(0, at + 1).join('').length - 1 <= cut);
        expect(read(text.slice(0, cut))).toEqual(whole);
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it.each([
    ['x\n', 'line 1 is not JSON'],
    [`${formatLine(header)}\n`, 'line 2 is not JSON'],
    ['{"kind":"note","text":1}\n', 'line 1 does not fit the schema: text must be a text, not a number'],
    ['{"kind":"look","at":{}}\n', /^line 1 does not fit the schema: at\.ms is missing$/],
    ['{"kind":"trace"', 'line 1 is not a whole line'],
    ['{"kind":"trace"}', 'line 1 is not a whole line'],
  ])('%j is refused by its line', (text, says) => {
    expect(() => read(text)).toThrow(TraceError);
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'TraceError' }));
    expect(() => read(text)).toThrow(says);
  });
});

describe('the header', () => {
  it('stands first, and once', () => {
    expect(splitHeader([header, note('a')], 'trace')).toEqual({ header, rest: [note('a')] });
    expect(() => splitHeader([], 'trace')).toThrow('line 1 is not the header of a trace (kind "trace")');
    expect(() => splitHeader([note('a'), header], 'trace')).toThrow('line 1 is not the header');
    expect(() => splitHeader([header, note('a'), header], 'trace')).toThrow('line 3 is a second header');
  });

  it.each([
    ['{"kind":"trace","schemaVersion":1', 'deployment'],
    ['{"kind":"webhook-trace"}', 'capture'],
    [' \n{ "kind" : "webhook-drive"', 'drive'],
    ['{"kind":"client-trace"', 'client'],
    ['{"kind":"exchange"}', null],
    ['{"kind":"constructor"}', null],
    ['{"schemaVersion":1,"kind":"trace"}', null],
    ['[{"kind":"trace"}]', null],
    ['', null],
  ])('%j begins the trace of a %s', (text, kind) => {
    expect(kindOfTrace(text)).toBe(kind);
  });
});
