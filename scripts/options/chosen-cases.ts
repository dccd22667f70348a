import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { DriveCase } from '../../contract/webhooks/drive/case.ts';
import { driveCases, findDriveCase } from '../../contract/webhooks/drive/registry.ts';

/**
 * The cases that ids or their first parts name ("forged" is all forgeries), and those that they rest on; all where none
 * is named. In the registry's order.
 * @throws {UsageError} naming what is no case.
 */
export function chosenCases(names: readonly string[]): readonly DriveCase[] {
  if (names.length === 0) return driveCases;
  const chosen = new Set<string>();
  for (const name of names) {
    const found = driveCases.filter(({ id }) => id === name || id.startsWith(`${name}.`));
    if (found.length === 0) {
      const ids = driveCases.map(({ id }) => id);
      throw new UsageError(
        `There is no case "${name}"${didYouMean(name, ids)} "conformance webhooks cases" lists all.`,
      );
    }
    for (const one of found) addWithGrounds(one, chosen);
  }
  return driveCases.filter(({ id }) => chosen.has(id));
}

/** A case rests on others without circles: see the registry's test. */
function addWithGrounds({ id, dependsOn }: DriveCase, chosen: Set<string>): void {
  if (chosen.has(id)) return;
  chosen.add(id);
  for (const ground of dependsOn) {
    const found = findDriveCase(ground);
    if (found !== undefined) addWithGrounds(found, chosen);
  }
}
