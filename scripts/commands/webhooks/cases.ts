import { Command } from 'commander';
import { didYouMean } from '../../../contract/nearest.ts';
import { UsageError } from '../../../contract/usage-error.ts';
import { type DriveCase, groups } from '../../../contract/webhooks/drive/case.ts';
import { driveCases, findDriveCase } from '../../../contract/webhooks/drive/registry.ts';
import { columnsMin, labelled } from '../../../reports/terminal/layout.ts';
import { tableLines } from '../../../reports/terminal/table.ts';
import type { CommandIo } from '../command-io.ts';

/** `conformance webhooks cases`: what `drive` sends a receiver, case by case. */
export function casesCommand(io: CommandIo): Command {
  return new Command('cases')
    .description('list the cases of "drive", or explain one')
    .argument('[id]', 'id of a case')
    .action((id: string | undefined) => {
      const lines = id === undefined ? listed() : explained(known(id), io.stdout.columns ?? 80);
      io.stdout.write(`${lines.join('\n')}\n`);
      io.exit(0);
    });
}

function known(id: string): DriveCase {
  const one = findDriveCase(id);
  if (one !== undefined) return one;
  throw noSuchCase(id);
}

function noSuchCase(name: string): UsageError {
  const ids = driveCases.map(({ id }) => id);
  return new UsageError(
    `There is no case "${name}"${didYouMean(name, ids)} "conformance webhooks cases" lists all.`,
  );
}

function listed(): readonly string[] {
  return groups.flatMap((group, at) => {
    const rows = driveCases
      .filter((one) => one.group === group)
      .map(({ id, level, title }) => [id, level, title]);
    return [
      ...(at === 0 ? [] : ['']),
      group,
      ...tableLines(rows, { widths: [27, 8, 43] }).map((line) => `  ${line}`),
    ];
  });
}

const needs: Readonly<Record<DriveCase['needs'], string>> = {
  nothing: 'nothing but the receiver',
  effects: 'a URL that shows the effects (--effects)',
  'second-secret': 'two secrets (--secret-env NEW,OLD)',
};

const levels: Readonly<Record<DriveCase['level'], string>> = {
  must: 'must: decides',
  should: 'should: a failure is a shortcoming and decides nothing',
};

function explained(one: DriveCase, columns: number): readonly string[] {
  const rows: readonly (readonly [string, string])[] = [
    ['level', levels[one.level]],
    ['sends', one.sends],
    ['expects', one.expects],
    ['why', one.why],
    ['likely', `if it fails: ${one.failure}`],
    ['needs', needs[one.needs]],
    ...(one.dependsOn.length === 0
      ? []
      : [['open if', `failed or open: ${one.dependsOn.join(', ')}`] as const]),
  ];
  return [
    `${one.id}: ${one.title}`,
    ...rows.flatMap(([label, text]) =>
      labelled(label, text, { columns: Math.max(columnsMin, columns), indent: 2, labelWidth: 8 }),
    ),
  ];
}

/**
 * The cases that ids or their first parts name ("forged" is all forgeries), and the cases that these depend on. Without a
 * name all cases. In the registry's order.
 * @throws {UsageError} where there is no case of a name.
 */
export function chosenCases(names: readonly string[]): readonly DriveCase[] {
  if (names.length === 0) return driveCases;
  const chosen = new Set<string>();
  for (const name of names) {
    const found = driveCases.filter(({ id }) => id === name || id.startsWith(`${name}.`));
    if (found.length === 0) throw noSuchCase(name);
    for (const one of found) addWithDependencies(one, chosen);
  }
  return driveCases.filter(({ id }) => chosen.has(id));
}

/** There are no circles among the cases: see the registry's test. */
function addWithDependencies({ id, dependsOn }: DriveCase, chosen: Set<string>): void {
  if (chosen.has(id)) return;
  chosen.add(id);
  for (const dependency of dependsOn) {
    const found = findDriveCase(dependency);
    if (found !== undefined) addWithDependencies(found, chosen);
  }
}
