import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { referenceRequests } from '../../service/reference-requests.ts';
import { noLoad } from './load-plan.ts';
import { bytesText, planLines, planText } from './plan-text.ts';
import { planWholeRun, type RunPlanInput } from './run-plan.ts';

const reading = {
  standard: { path: '/v1/status' },
  messages: { path: '/v1/messages?limit=1' },
  media: { method: 'POST', path: '/v1/media', body: { file: { bytes: 1_000_000 } } },
};

function planned(change: Partial<RunPlanInput> = {}, requests: object = referenceRequests) {
  const deployment = deploymentSchema.parse({ baseUrls: ['http://127.0.0.1'], keyEnv: ['A', 'B'], requests });
  const wish = { ...noLoad, chosen: 'all', scenarios } as const;
  return planWholeRun({ deployment, mode: 'full', wish, spare: 'none', aliases: ['A', 'B'], ...change });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

describe('the cost of a run', () => {
  it.each([
    ['a whole run with all scenarios', {}],
    ['the probes alone', { wish: noLoad }],
    ['a light run', { mode: 'light', wish: noLoad }],
    ['load alone', { mode: 'load' }],
    ['a run that does not announce itself', { unannouncedSeed: 1 }],
    ['one key', { aliases: ['A'] }],
  ] as const)('is every request of %s, by what it asks for', (_what, change) => {
    const plan = planned(change);
    expect(sum(plan.cost.map(({ requestsMax }) => requestsMax))).toBe(plan.requestsWanted);
    for (const { requestsMax, admittedMax } of plan.cost)
      expect(admittedMax).toBeLessThanOrEqual(requestsMax);
  });

  it('names methods and paths, with what shares their window', () => {
    const { cost } = planned();
    expect(cost.map(({ subject, requests }) => `${subject}: ${requests.join(', ')}`)).toEqual([
      'standard: GET /v1/status',
      `messages: POST /v1/messages, GET ${referenceRequests.messagesSubpath.path}`,
      'media: POST /v1/media',
      'otherError: GET /v1/no-such-resource',
    ]);
  });

  it('says how many of them are real, and how many more where nothing is refused', () => {
    const plan = planned({ wish: noLoad });
    const [media] = plan.cost.filter(({ subject }) => subject === 'media');
    // Two windows of 30, and what is sent beside.
    expect(media?.admittedMax).toBeGreaterThan(60);
    expect(media?.admittedMax).toBeLessThan(75);
    const text = planText(plan).join(' ');
    expect(text).toMatch(/real: up to \d+ messages and \d+ uploads take effect;/);
    expect(text).toContain(`and ${media?.requestsMax} uploads`);
    const uploads = planText(planned({ wish: noLoad }, reading)).join(' ');
    expect(uploads).toMatch(/real: up to \d+ uploads take effect;/);
    expect(uploads).not.toContain('messages');
    const refused = { ...reading, media: { ...reading.media, answered: 413 } };
    expect(planText(planned({ wish: noLoad }, refused)).join(' ')).not.toContain('real:');
    const { standard } = reading;
    expect(planText(planned({ wish: noLoad }, { standard })).join(' ')).not.toContain('real:');
  });

  it('counts the bytes of bodies', () => {
    const { cost } = planned({ wish: noLoad }, reading);
    const media = cost.find(({ subject }) => subject === 'media');
    expect(media?.bytes).toBeGreaterThan(1_000_000 * (media?.requestsMax ?? 0));
    expect(media?.bytes).toBeLessThan(1_002_000 * (media?.requestsMax ?? 0));
  });

  it('is told in lines that fit beside their label', () => {
    for (const line of planLines(planned({ wish: noLoad }))) expect(line.length).toBeLessThanOrEqual(72);
  });
});

it.each([
  [0, '0.0 kB'],
  [640, '0.6 kB'],
  [814_000, '814 kB'],
  [1_240_000, '1.2 MB'],
  [79_471_000_000, '79 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
