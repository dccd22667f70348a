import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTrace } from './trace-writer.ts';

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
});
