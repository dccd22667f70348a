import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { endTrace, openTrace } from './trace-writer.ts';

type Line = { readonly kind: string; readonly text?: string };

async function opened() {
  const path = join(await temporaryFolder(), 'trace.ndjson');
  const trace = openTrace<Line>(path, { kind: 'header' });
  const kinds = (): readonly string[] =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Line).kind);
  return { path, trace, kinds };
}

describe('a trace that is written', () => {
  it('has a line at once, or before the process waits again, in the order in which they came', async () => {
    const { path, trace, kinds } = await opened();
    trace.writeSoon({ kind: 'a' });
    trace.writeSoon({ kind: 'b' });
    expect(kinds()).toEqual(['header']);
    trace.write({ kind: 'c' });
    expect(kinds()).toEqual(['header', 'a', 'b', 'c']);
    trace.writeSoon({ kind: 'd' });
    await turn();
    expect(kinds()).toEqual(['header', 'a', 'b', 'c', 'd']);
    trace.writeSoon({ kind: 'e' });
    trace.close();
    trace.writeSoon({ kind: 'f' });
    trace.close();
    await turn();
    expect(kinds()).toEqual(['header', 'a', 'b', 'c', 'd', 'e']);
    expect(trace.bytes()).toBe(readFileSync(path).length);
  });

  it('holds little back', async () => {
    const { trace, kinds } = await opened();
    const text = 'x'.repeat(30_000);
    trace.writeSoon({ kind: 'a', text });
    trace.writeSoon({ kind: 'b', text });
    expect(kinds()).toEqual(['header']);
    trace.writeSoon({ kind: 'c', text });
    expect(kinds()).toEqual(['header', 'a', 'b', 'c']);
    trace.close();
  });

  it('asks once to be called at the end of a turn, however many lines come in it', async () => {
    const { trace, kinds } = await opened();
    const asked = vi.spyOn(globalThis, 'setImmediate');
    onTestFinished(() => asked.mockRestore());
    const text = 'x'.repeat(30_000);
    for (let line = 0; line < 100; line += 1) trace.writeSoon({ kind: 'a', text });
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
    await turn();
    trace.writeSoon({ kind: 'b' });
    await turn();
    expect(kinds()).toHaveLength(102);
    trace.close();
  });

  it('has all lines where an error ends the process', async () => {
    const path = join(await temporaryFolder(), 'trace.ndjson');
    const writer = new URL('trace-writer.ts', import.meta.url).href;
    const program = `
      const { openTrace } = await import(${JSON.stringify(writer)});
      openTrace(${JSON.stringify(path)}, { kind: 'header' }).writeSoon({ kind: 'a' });
      throw new Error('meant');`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    await expect(run).rejects.toThrow('meant');
    expect(readFileSync(path, 'utf8')).toBe('{"kind":"header"}\n{"kind":"a"}\n');
  });

  it('is heard of where a line could not be written whole, and then has nothing behind it', async () => {
    const path = join(await temporaryFolder(), 'trace.ndjson');
    const writer = new URL('trace-writer.ts', import.meta.url).href;
    const program = `
      const { openTrace } = await import(${JSON.stringify(writer)});
      const trace = openTrace(${JSON.stringify(path)}, { kind: 'header' });
      const said = [];
      for (const kind of ['a', 'b', 'c', 'd'])
        try {
          trace.write({ kind, text: 'x'.repeat(kind === 'd' ? 1 : 400) });
          said.push(kind);
        } catch (error) {
          said.push(error.code);
        }
      trace.close();
      console.log(said.join(' '));`;
    // Blocks have 512 bytes, of some shells 1,024.
    const command = ['-c', 'ulimit -f 2; exec "$0" "$@"', process.execPath];
    const { stdout } = await promisify(execFile)('/bin/sh', [
      ...command,
      ...['--input-type=module', '--eval', program],
    ]);
    const whole = stdout.split(' ').filter((word) => word.length === 1);
    expect(stdout).toMatch(/^a b( c)?( EFBIG)+\n$/);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines.filter((line) => line.endsWith('}'))).toHaveLength(1 + whole.length);
  });
});

test('a trace is closed whose last line cannot be written, and says why', () => {
  const close = vi.fn();
  const full = {
    write: () => {
      throw new Error('no space left');
    },
    writeSoon: () => undefined,
    bytes: () => 0,
    close,
  };
  expect(() => endTrace(full, { reason: null }, 0)).toThrow('no space left');
  expect(close).toHaveBeenCalledOnce();
});
