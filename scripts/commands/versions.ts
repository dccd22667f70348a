import process from 'node:process';
import { traceSchemaVersion } from '../../contract/trace-header.ts';
import { lookForK6 } from '../../load/runner/find-k6.ts';
import { reportSchemaVersion } from '../../reports/schema-version.ts';
import { tool } from '../../run/version.ts';
import type { CommandIo } from './command-io.ts';

/** `conformance --version`: what a report of a mistake in this program needs to say. Builds no k6. */
export async function showVersions({ env, stdout }: Pick<CommandIo, 'env' | 'stdout'>): Promise<void> {
  const lines = [
    `${tool.name} ${tool.version}`,
    `node ${process.versions.node}, ${process.platform} ${process.arch}`,
    `k6 ${await k6Text(env)}`,
    `schema of traces ${traceSchemaVersion}, of reports ${reportSchemaVersion}`,
  ];
  stdout.write(`${lines.join('\n')}\n`);
}

async function k6Text(env: CommandIo['env']): Promise<string> {
  const found = await lookForK6({ env });
  switch (found.kind) {
    case 'found':
      return `${found.k6.version}, ${found.k6.path}`;
    case 'unbuilt':
      return 'none yet: the first run that needs it builds it';
    case 'missing':
    case 'unusable':
      return `none: ${found.reason}`;
    case 'aborted':
      return 'not looked for';
    default:
      return found satisfies never;
  }
}
