import type { DriveCase } from './case.ts';
import { allowedCases } from './cases/allowed.ts';
import { burstCases } from './cases/burst.ts';
import { connectionCases } from './cases/connections.ts';
import { effectCases } from './cases/effects.ts';
import { forgedCases } from './cases/forged.ts';
import { repeatedCases } from './cases/repeated.ts';
import { secretCases } from './cases/secrets.ts';
import { toleratedCases } from './cases/tolerated.ts';
import { validCases } from './cases/valid.ts';

/** Every case, in the order in which they are sent and reported: each comes after those that it depends on. */
export const driveCases: readonly DriveCase[] = [
  ...validCases,
  ...forgedCases,
  ...allowedCases,
  ...toleratedCases,
  ...repeatedCases,
  ...secretCases,
  ...effectCases,
  ...connectionCases,
  ...burstCases,
];

const byId: ReadonlyMap<string, DriveCase> = new Map(driveCases.map((one) => [one.id, one]));

/** The case of an id; `undefined` where there is none. */
export function findDriveCase(id: string): DriveCase | undefined {
  return byId.get(id);
}
