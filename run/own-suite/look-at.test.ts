import { expect, test } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { documentSchema } from '../../contract/document/document.ts';
import { keepsLimit } from './keeps-limit.ts';
import { lookAt } from './look-at.ts';
import { listening, rollingLog } from './testing/small-limiters.ts';

test('who ends the looking between two looks gets what the first one found', async () => {
  const limiter = rollingLog({ limit: 20, windowMs: 1_000 });
  // Answers that take half a window leave a look undecided.
  await using app = await listening((_, answer) => {
    answer.statusCode = limiter(performance.now()) ? 200 : 429;
    setTimeout(() => answer.end(), 500);
  });
  const ending = new AbortController();
  const found = keepsLimit(
    app,
    { limit: 20, windowSeconds: 1, promise: 'rolling' },
    { signal: ending.signal, onTrace: () => void setTimeout(() => ending.abort(), 100) },
  );
  await expect(found).rejects.toMatchObject({
    name: 'LimitError',
    kind: 'too-slow',
    message: expect.stringContaining('one look proved nothing'),
  });
});

test('between two looks the longest of the windows passes', async () => {
  const document = documentSchema.parse({
    ...{ version: 1, title: 'a', windowSeconds: 1, headers: 'none', errors: 'none', keys: 'none' },
    scopes: { items: { title: 'items', limit: 5, also: [{ limit: 9, windowSeconds: 2 }] } },
  });
  const deployment = deploymentSchema.parse({
    ...{ document, windowSeconds: 1, baseUrls: ['http://127.0.0.1:9'], keyEnv: ['NO_KEY'] },
    requests: { items: { path: '/items' } },
  });
  const judgedMs: number[] = [];
  const { looks } = await lookAt(
    { deployment, keys: [{ alias: 'A', secret: '', authorization: null }] },
    {
      judge: () => judgedMs.push(performance.now()),
      isOpen: () => true,
      attempts: 2,
      signal: new AbortController().signal,
    },
  );
  expect(looks).toBe(2);
  expect((judgedMs[1] ?? 0) - (judgedMs[0] ?? 0)).toBeGreaterThan(3_000);
});
