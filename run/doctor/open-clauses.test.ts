import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { admitted, indeterminate } from '../../judge/testing/traces.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { referenceRequests } from '../../service/reference-requests.ts';
import { goesByDefault } from '../plan/load-keys.ts';
import { noLoad } from '../plan/load-plan.ts';
import { planWholeRun } from '../plan/run-plan.ts';
import type { SeenByK6 } from './look-by-k6.ts';
import { machineFindings } from './machine-findings.ts';
import { type KnownBefore, openClauses } from './open-clauses.ts';

const wish = { ...noLoad, chosen: 'all', scenarios: scenarios.filter(goesByDefault) } as const;
const there: SeenByK6 = {
  kind: 'found',
  k6: { path: '/k6', version: '2.2.0', source: 'cache' },
  exchanges: [admitted(0, 5)],
  reason: null,
};

function known(settings: object = {}, more: Partial<KnownBefore> = {}): KnownBefore {
  const base = { baseUrls: ['http://127.0.0.1'], keyEnv: ['A', 'B'], requests: referenceRequests };
  const deployment = deploymentSchema.parse({ ...base, ...settings });
  const keys = ['A', 'B'].slice(0, deployment.keyEnv.length);
  const plan = planWholeRun({ deployment, mode: 'full', wish, spare: 'none', aliases: keys });
  return { deployment, mode: 'full', keys, plan, k6: there, latencyMs: 5, ...more };
}

const told = (settings: object = {}, more: Partial<KnownBefore> = {}) =>
  openClauses(known(settings, more)).map(
    ({ clauses, why, decides }) => `${decides ? 'open' : 'less'} ${clauses.join(', ')}: ${why}`,
  );

describe('what stays open', () => {
  it('is nothing where all is set and met', () => {
    expect(told()).toEqual([]);
  });

  const { messages, messagesSubpath: _below, ...others } = referenceRequests;
  it.each([
    ['one key', { keyEnv: ['A'] }, 'open limits.per-key: there is one key: name two with --key-env A,B'],
    [
      'no request for a scope',
      { requests: others },
      'open limits.messages: no request stands for messages, and the run is incomplete: set requests.messages',
    ],
    [
      'nothing below',
      { requests: { ...others, messages } },
      'open limits.messages-subpaths: set requests.messagesSubpath',
    ],
    [
      'no request without a key',
      { probeWithoutKey: false },
      'less auth.bearer: probeWithoutKey: false sends',
    ],
    ['keys that others use', { exclusiveKeys: false }, 'less limits.*: exclusiveKeys: false: refusals below'],
    ['another window', { windowSeconds: 5 }, 'less window.*: the window is set to 5 s'],
    ['too few requests', { maxRequests: 100 }, 'open : maxRequests is 100, and the run may need '],
    [
      'HTTP/2 and a GET',
      {
        baseUrls: ['https://a.test'],
        transport: { http: '2' },
        requests: { ...referenceRequests, messages: { path: '/v1/messages' } },
      },
      'less load.messages-burst: over HTTP/2, k6 may send a GET twice',
    ],
    [
      'a forwarding proxy',
      { transport: { proxy: 'http://p.test:1' } },
      'less load.messages-burst, load.media-burst: the proxy',
    ],
  ])('%s', (_what, settings, says) => {
    expect(told(settings)[0]).toContain(says);
  });

  it('is nothing that the document does not have', () => {
    const document = {
      ...{ version: 1, title: 'chats', windowSeconds: 60, errors: 'none', keys: 'none' },
      scopes: { messages: { title: 'chats', limit: 9, promise: 'fixed' } },
    };
    const requests = { messages: { path: '/chats' } };
    expect(told({ document, requests, probeWithoutKey: false, windowSeconds: 5 })).toEqual([]);
  });

  it('is no second key where none is sent', () => {
    const document = {
      ...{
        version: 1,
        title: 'chats',
        windowSeconds: 60,
        errors: 'none',
        keys: 'none',
        countedBy: 'address',
      },
      scopes: { chats: { title: 'chats', limit: 9, promise: 'fixed' } },
    };
    const settings = { document, requests: { chats: { path: '/chats' } }, probeWithoutKey: false };
    expect(told({ ...settings, keyEnv: [] })).toEqual([]);
    expect(told({ ...settings, keyEnv: ['A'] })[0]).toContain('open limits.shared: there is one key');
    const scopes = {
      ...document.scopes,
      rest: { title: 'rest', limit: 9, paths: ['/rest'], countedBy: 'key' },
    };
    const mixed = { ...settings, document: { ...document, scopes }, keyEnv: ['A'] };
    expect(told(mixed)).toContainEqual(
      expect.stringContaining('open limits.per-key, limits.shared: there is one key'),
    );
  });

  it('is what k6 shows, where there is none or it does not get there', () => {
    const bursts = 'open load.messages-burst, load.media-burst: k6 does not get there (above)';
    expect(told({}, { k6: { kind: 'missing', reason: 'no Go', howTo: [] } })).toEqual([bursts]);
    expect(told({}, { k6: { ...there, exchanges: [indeterminate(0)] } })).toEqual([bursts]);
    const alone = { ...known(), plan: { ...known().plan, load: [] }, k6: { kind: 'not-wanted' } as const };
    expect(openClauses(alone)).toEqual([]);
  });

  it('is the length of a window, as far as answers are slow', () => {
    expect(told({}, { latencyMs: 220 })).toEqual([
      'less window.length: answers take about 220 ms: the window is known to about ± 220 ms only',
    ]);
    expect(told({}, { latencyMs: 4_000 })[0]).toMatch(/^open window\.length/);
  });

  it('is almost everything of a light run', () => {
    expect(told({}, { mode: 'light' })[0]).toMatch(/^open limits\.\*, window\.\*: a light run/);
  });
});

describe('a machine', () => {
  const folder = { path: '/tmp', problem: null, freeBytes: 5e9 };
  const machine = { node: 'v26', temporary: folder, out: { ...folder, path: '/runs' }, openFilesMax: 1_024 };
  const found = (change: object, settings: object = {}) =>
    machineFindings({ ...machine, ...change }, known(settings)).map(
      ({ state, about, text }) => `${state} ${about}: ${text}`,
    );

  it('has room', () => {
    expect(found({})).toEqual([
      expect.stringMatching(/^good temporary: \/tmp, 5\.0 GB free; a run writes at most \d+ MB$/),
      expect.stringMatching(/^good runs: \/runs, 5\.0 GB free/),
      expect.stringMatching(/^good open files: 1024 at once; a run opens about \d+$/),
    ]);
  });

  it.each([
    [
      { temporary: { ...folder, problem: 'EROFS: read-only file system' } },
      {},
      'bad temporary: /tmp: EROFS: read-only file system. Set TMPDIR',
    ],
    [{ out: { ...folder, freeBytes: 2e6 } }, {}, 'bad runs: /tmp: 2.0 MB free, and a run may write '],
    [{ openFilesMax: 256 }, {}, 'bad open files: 256 at once, and a run opens about '],
    [
      {},
      { baseUrls: Array(16).fill('http://127.0.0.1') },
      'bad open files: 1024 at once, and a run opens about 2464',
    ],
  ])('lacks it: %#', (change, settings, says) => {
    expect(found(change, settings).find((one) => one.startsWith('bad'))).toContain(says);
  });
});
