import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import { environmentForGo } from '../../runner/environment.ts';
import { operatorFolder } from './operator.ts';

const operatorModule = 'github.com/grafana/k6-operator';

export type FoundSchema = { readonly kind: 'found'; readonly schema: object } | { readonly kind: 'missing' };

/**
 * The schema of a TestRun from k6-operator's own definition, which Go downloads as a module into its cache, and compares
 * with the checksum in `operator/go.sum`. Missing where there is no Go.
 * @throws where Go cannot download it, or it is another.
 */
export async function testRunSchema(): Promise<FoundSchema> {
  const output = await goDownload();
  if (output === null) return { kind: 'missing' };
  const { Dir: folder, Error: why } = JSON.parse(output) as {
    readonly Dir?: string;
    readonly Error?: string;
  };
  if (folder === undefined) throw new Error(`${operatorModule}: ${why}`);
  const file = join(folder, 'config', 'crd', 'bases', 'k6.io_testruns.yaml');
  const definition = parse(await readFile(file, 'utf8')) as Definition;
  const [version] = definition.spec.versions;
  if (version === undefined) throw new Error(`${file} defines no version`);
  return { kind: 'found', schema: strict(version.schema.openAPIV3Schema) as object };
}

type Definition = {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: object } }[] };
};

/** What `go mod download` says; `null` where there is no Go. */
function goDownload(): Promise<string | null> {
  const child = spawn('go', ['mod', 'download', '-json', operatorModule], {
    cwd: operatorFolder,
    env: environmentForGo(process.env),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', () => resolve(output));
  });
}

/** Kubernetes drops fields that a schema does not name; here they are errors. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]));
  const isOpen = !('properties' in inner) || 'additionalProperties' in inner;
  return isOpen ? inner : { ...inner, additionalProperties: false };
}
