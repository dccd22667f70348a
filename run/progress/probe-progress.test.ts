import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { purposeText } from '../../reports/purpose-text.ts';
import { probeProgress } from './probe-progress.ts';

const checks = join(import.meta.dirname, '..', '..', 'checks');

test('whatever a schedule sends is said in words, while it is sent and in reports', async () => {
  const names = (await readdir(checks)).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(checks, name), 'utf8')));
  const named = texts.flatMap((text) => [...text.matchAll(/(?:\bsend\(|purpose: )'([a-z-]+)'/g)]);
  const purposes = [...new Set(named.map(([, purpose = '']) => purpose))];
  expect(purposes).toEqual(expect.arrayContaining(['fill', 'single', 'reburst', 'late-visit']));
  for (const purpose of [...purposes, 'burst-1', 'confirm-2', 'other-key-1']) {
    const [event] = probeProgress({ kind: 'sending', scope: 'media', purpose, count: 1 });
    expect(event).toMatchObject({ kind: 'doing', text: expect.stringMatching(/\w+ \w+/) });
    expect(purposeText(purpose)).not.toBe(purpose.replaceAll('-', ' '));
  }
});

test('what is sent for one limit of several says of which', () => {
  const event = { kind: 'sending', scope: 'media', purpose: 'confirm-2@second', count: 1 } as const;
  expect(probeProgress(event)).toMatchObject([
    { text: 'confirming that the window is full, of the limit “second”' },
  ]);
});
