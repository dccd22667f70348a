import { expect, test } from 'vitest';
import { keepsLimit } from './keeps-limit.ts';
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
