import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import { environmentForGo } from '../../runner/environment.ts';

/** The release of k6-operator whose definition of a TestRun checks the manifests, and its checksum. */
const operator = {
  module: 'github.com/grafana/k6-operator@v1.5.0',
  sum: 'h1:rtEbUefalu1Es7IrKe/bQxSN2xACG8WIOXx6OLsRLK4=',
};

export type FoundSchema = { readonly kind: 'found'; readonly schema: object } | { readonly kind: 'missing' };

/**
 * The schema of a TestRun from k6-operator's own definition, which Go downloads as a module into its cache.
 * Missing where there is no Go.
 * @throws where the module is not the one that was pinned.
 */
export async function testRunSchema(): Promise<FoundSchema> {
  const output = await goDownload();
  if (output === null) return { kind: 'missing' };
  const module = JSON.parse(output) as {
    readonly Dir?: string;
    readonly Sum?: string;
    readonly Error?: string;
  };
  if (module.Dir === undefined) throw new Error(`${operator.module}: ${module.Error}`);
  if (module.Sum !== operator.sum) throw new Error(`${operator.module} has the checksum ${module.Sum}`);
  const file = join(module.Dir, 'config', 'crd', 'bases', 'k6.io_testruns.yaml');
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
  // The checksum is compared here, so Go's checksum database is not needed.
  const env = { ...environmentForGo(process.env), GOFLAGS: '', GONOSUMDB: 'github.com/grafana/k6-operator' };
  const child = spawn('go', ['mod', 'download', '-json', operator.module], {
    cwd: tmpdir(),
    env,
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
