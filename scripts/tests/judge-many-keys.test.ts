import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatTrace, parseTrace } from '../../contract/trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

/** More keys than there are limiters in a report. */
const keys = Array.from({ length: 123 }, (_, at) => `key-${at}`);

test('of more keys than limiters are looked for, the command that the report names gives them all', async () => {
  const cwd = await temporaryFolder();
  const path = join(cwd, 'trace.ndjson');
  await writeFile(path, await traceOfKeys());
  const { stdout } = await inProcess(['judge', 'trace.ndjson', '--verbose'], cwd);
  const [, told = ''] =
    /3 more keys and scopes: conformance (judge --identify TRACE)/.exec(stdout.replaceAll(/\s+/g, ' ')) ?? [];
  expect(told).not.toBe('');
  const named = await inProcess(told.replace('TRACE', 'trace.ndjson').split(' '), cwd);
  expect(named.stdout.match(/^media, key key-\d+$/gm)).toEqual(keys.map((key) => `media, key ${key}`));
});

/** The first media requests of a saved run, up to those that were refused, as if each key had sent them. */
async function traceOfKeys(): Promise<string> {
  const saved = join(import.meta.dirname, '../../judge/testdata/conforming.ndjson');
  const trace = parseTrace(await readFile(saved, 'utf8'));
  const sent = trace.exchanges.filter(({ scope, key }) => scope === 'media' && key === 'A');
  const refused = sent.findIndex(({ outcome }) => outcome === 'limited');
  const exchanges = keys.flatMap((key) =>
    sent.slice(refused - 1, refused + 2).map((exchange) => ({
      ...exchange,
      key,
      requestId: `${key}-${exchange.requestId}`,
    })),
  );
  return formatTrace({
    ...trace,
    exchanges: exchanges.map((exchange, index) => ({ ...exchange, index })),
    loads: [],
  });
}
