import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { type TraceHeader, traceHeaderSchema } from '../../contract/trace-header.ts';
import { type LoadLine, loadLineSchema } from '../../contract/trace-lines.ts';
import { configMapFiles, runnersOf } from './names.ts';

/** One scenario of a manifest. */
export type DeployedScenario = {
  readonly runners: readonly string[];
  /** Its line in the trace, if every exchange was collected. */
  readonly load: LoadLine;
};

/** What a manifest says about the trace that its pods write together. */
export type DeployedTrace = { readonly header: TraceHeader; readonly scenarios: readonly DeployedScenario[] };

/** A manifest that this tool did not write, or that is not whole. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

const configMapSchema = z.object({
  kind: z.literal('ConfigMap'),
  metadata: z.object({ name: z.string() }),
  data: z.object({ [configMapFiles.header]: z.string(), [configMapFiles.load]: z.string() }),
});

const testRunSchema = z.object({
  kind: z.literal('TestRun'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({ parallelism: z.int().min(1) }),
});

/**
 * Reads a manifest of `formatManifest` back.
 * @throws {ManifestError} that says what is missing.
 */
export function readManifest(text: string): DeployedTrace {
  const documents = parseAllDocuments(text);
  const [broken] = documents.flatMap(({ errors }) => errors);
  if (broken !== undefined) throw new ManifestError(`it is not YAML: ${broken.message.split('\n', 1)[0]}`);
  const objects = documents.map((document) => document.toJS() as unknown);
  const configMaps = objects.map((object) => configMapSchema.safeParse(object)).flatMap(dataOf);
  const testRuns = objects.map((object) => testRunSchema.safeParse(object)).flatMap(dataOf);
  const [first] = configMaps;
  if (first === undefined) throw new ManifestError('it holds no ConfigMap of "conformance kubernetes"');
  const scenarios = configMaps.map(({ metadata: { name }, data }) => {
    const testRun = testRuns.find((one) => one.metadata.name === name);
    if (testRun === undefined) throw new ManifestError(`it holds no TestRun ${name}`);
    const load = loadLineSchema.parse(JSON.parse(data[configMapFiles.load]));
    return { runners: runnersOf(name, testRun.spec.parallelism), load };
  });
  const header = traceHeaderSchema.parse(JSON.parse(first.data[configMapFiles.header]));
  return { header, scenarios };
}

function dataOf<Data>(result: z.ZodSafeParseResult<Data>): readonly Data[] {
  return result.success ? [result.data] : [];
}
