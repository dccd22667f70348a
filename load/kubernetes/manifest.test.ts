import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { needing } from '../../testing/needs.ts';
import { type ClusterSettings, type Deployable, formatManifest, runnerImage } from './manifest.ts';
import { expanded } from './testing/expansion.ts';
import { testRunSchema } from './testing/operator-crd.ts';

const deployable: Deployable = {
  name: 'conformance-messages-burst',
  scenario: 'messages-burst',
  script: 'export default function () {\n  console.log("$(HOME) `x`: #");\t\n}\n',
  parameters: {
    clock: 'k6-$(CONFORMANCE_RUNNER)',
    request: { path: '/v1/messages?$(HOME)&$$=1', text: 'it\'s "so" \\ $ `id`' },
  },
  header: { kind: 'trace' } as unknown as Deployable['header'],
  load: { kind: 'load' } as unknown as Deployable['load'],
};

const cluster: ClusterSettings = {
  parallelism: 4,
  image: runnerImage,
  secret: { name: 'conformance-keys', field: 'keys' },
  cpu: '1',
  memory: '1Gi',
};

type Objects = readonly [configMap: Record<string, unknown>, testRun: Record<string, unknown>];

/** The objects as a cluster would read them. */
function read(settings: ClusterSettings): Objects {
  const documents = parseAllDocuments(formatManifest([deployable], settings));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((document) => document.toJS()) as unknown as Objects;
}

const found = await testRunSchema();

describe('the manifest, by the operator’s own definition', needing('go', found.kind === 'found'), () => {
  let problemsOf: (testRun: unknown) => readonly string[];

  beforeAll(() => {
    const formats = { int32: true, int64: true, 'date-time': true } as const;
    const ajv = new Ajv({ strict: false, allErrors: true, formats });
    const validate = ajv.compile(found.kind === 'found' ? found.schema : {});
    problemsOf = (testRun) => {
      validate(testRun);
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    };
  });

  it.each<[string, ClusterSettings]>([
    ['logs', cluster],
    ['a volume', { ...cluster, namespace: 'load', claim: 'traces' }],
  ])('is a valid TestRun with traces in %s', (_where, settings) => {
    expect(problemsOf(read(settings)[1])).toEqual([]);
  });

  it('would not be with a field that the operator does not know, or a wrong value', () => {
    const [, testRun] = read(cluster);
    const spec = testRun['spec'] as Record<string, unknown>;
    expect(problemsOf({ ...testRun, spec: { ...spec, paralelism: 4 } })).toHaveLength(1);
    expect(problemsOf({ ...testRun, spec: { ...spec, parallelism: '4' } })).toHaveLength(1);
    const runner = { ...(spec['runner'] as object), resources: { limits: { cpu: 'much' } } };
    expect(problemsOf({ ...testRun, spec: { ...spec, runner } })).not.toEqual([]);
  });
});

describe('the manifest', () => {
  it('names the Secret and holds nothing of a key', () => {
    const [, testRun] = read(cluster);
    expect(testRun).toMatchObject({
      spec: {
        runner: {
          env: expect.arrayContaining([
            {
              name: 'CONFORMANCE_LOAD_KEY',
              valueFrom: { secretKeyRef: { name: 'conformance-keys', key: 'keys' } },
            },
          ]),
        },
      },
    });
  });

  it('keeps the script to the byte, under the name by which the TestRun asks for it', () => {
    const [configMap, testRun] = read({ ...cluster, namespace: 'load' });
    expect(configMap).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'conformance-messages-burst', namespace: 'load' },
      data: { 'messages-burst.js': deployable.script },
    });
    expect(testRun).toMatchObject({
      metadata: { namespace: 'load' },
      spec: { script: { configMap: { name: 'conformance-messages-burst', file: 'messages-burst.js' } } },
    });
  });

  it('hands the script its parameters as they are, and the runner’s own clock', () => {
    const [, testRun] = read(cluster);
    const { env } = (testRun['spec'] as { runner: { env: { name: string; value?: string }[] } }).runner;
    const names = env.map(({ name }) => name);
    expect(names.indexOf('CONFORMANCE_RUNNER')).toBeLessThan(names.indexOf('CONFORMANCE_LOAD_PARAMETERS'));
    const { value = '' } = env.find(({ name }) => name === 'CONFORMANCE_LOAD_PARAMETERS') ?? {};
    const variables = { CONFORMANCE_RUNNER: 'conformance-messages-burst-3', HOME: '/root' };
    expect(JSON.parse(expanded(value, variables))).toEqual({
      ...deployable.parameters,
      clock: 'k6-conformance-messages-burst-3',
    });
  });

  it('has no arguments that the operator would split or take for something else', () => {
    const [, testRun] = read({ ...cluster, claim: 'traces' });
    const { arguments: text } = testRun['spec'] as { arguments: string };
    for (const argument of text.split(' ')) expect(argument).toMatch(/^--[a-z-]+(=[^\s'"]+)?$/);
    expect(text).toContain('--console-output=/traces/$(CONFORMANCE_RUNNER).ndjson');
  });
});
