import { expect, test } from 'vitest';
import { documentedLimits } from '../../contract/scopes.ts';
import { startProvingGround } from '../../service/proving/proving-ground.ts';
import { gradeOf } from './grade.ts';
import { makeJobs } from './jobs.ts';
import { clientsPage } from './page.ts';
import { peers } from './peers.ts';
import { provingTrace } from './testing/trace.ts';

const rows = peers.flatMap((peer) => peer.scopes.map((scope) => ({ name: peer.library, peer, scope })));

test.each(rows)('$name gets a request of the scope $scope through, with its key and content', async (row) => {
  const arrivals: unknown[] = [];
  const ground = await startProvingGround({
    host: '127.0.0.1',
    port: 0,
    windowMs: 60_000,
    limits: documentedLimits,
    refuseMs: 1,
    keys: [{ alias: 'A', secret: 'a-secret', lesson: 'limits' }],
    onArrival: (arrival) => arrivals.push(arrival),
  });
  const client = row.peer.open({ scope: row.scope, limit: 30, windowMs: 60_000 });
  const asked = { url: ground.url, secret: 'a-secret', scope: row.scope };
  for (const method of row.peer.methods) {
    const [job] = makeJobs({ ...asked, method, count: 1 });
    await client.send(job!);
  }
  await client.close();
  await ground.close();
  expect(arrivals).toMatchObject(
    row.peer.methods.map((method) => ({
      key: 'A',
      scope: row.scope,
      method: row.scope === 'standard' ? 'GET' : method,
      status: method === 'GET' || row.scope === 'standard' ? 200 : 201,
    })),
  );
});

test('a row says what was done and how, and the page stays a table', () => {
  const who = { library: 'a|b', version: '1.2.3', scope: 'messages', method: 'POST' } as const;
  const grade = gradeOf(who, { jobs: 3, isDone: true, trace: provingTrace() });
  expect(grade).toMatchObject({ admitted: 2, refused: 1, timesLeast: null, verdicts: { waits: 'no' } });
  const page = clientsPage({ grades: [grade], windowSeconds: 60, version: '0.1.0', nodeVersion: '26' });
  expect(page).toContain(
    '| a\\|b | 1.2.3 | POST, messages | 2 of 3 | 50.0 | – | no | not shown | not shown | no |',
  );
});
