import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

const cwd = await temporaryFolder();

test('conformance plan --json writes the same plan for other programs', async () => {
  const text = (await inProcess(['plan'], cwd)).stdout;
  const { code, stdout, stderr } = await inProcess(['plan', '--json'], cwd);
  expect([code, stderr]).toEqual([0, '']);
  const plan = JSON.parse(stdout);
  expect(text).toContain(
    `at most ${plan.requestsMax} requests, ${plan.peakRequestsPerSecond} a second at peak, in about ${plan.seconds} s`,
  );
  expect(plan.watchSeconds).toBe(10);
  expect(text).toContain('up to 10 s more where a service counts more requests than were sent');
  const [messages] = plan.cost.filter(({ subject }: { subject: string }) => subject === 'messages');
  expect(text).toContain(`real: up to ${messages.admittedMax} messages`);
  expect(plan.load.map(({ scenario }: { scenario: string }) => scenario)).toEqual([
    'messages-burst',
    'media-burst',
  ]);
});

test('conformance plan names the target, and sends nothing to it', async () => {
  const target = ['--url', 'http://127.0.0.1:9', '--key-env', 'KEY_A', '--light'];
  const { code, stdout } = await inProcess(['plan', ...target], cwd);
  expect(code).toBe(0);
  expect(stdout).toContain('target  http://127.0.0.1:9');
  const { stdout: json } = await inProcess(['plan', ...target, '--json'], cwd);
  expect(JSON.parse(json)).toMatchObject({ baseUrls: ['http://127.0.0.1:9'], load: [], keyless: 3 });
});
