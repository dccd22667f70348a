import type { AskedSchema } from '../../contract/body-schema/json-schema.ts';
import { surelyAt, withParts } from '../../contract/body-schema/surely-at.ts';
import { pointerOf } from '../../contract/json-pointer.ts';
import type { WaitUnit } from '../../contract/wait-units.ts';

/** Where the bodies of refusals say how long to wait. */
export type DescribedWait = { readonly pointer: string; readonly unit: WaitUnit };

/** Members of members of the body. */
const levelsMax = 3;

/** A wait by the name of a member that every body of a schema has, and by its type; `null` where none is called so. */
export function waitIn(asked: AskedSchema, pointer = '', levels = levelsMax): DescribedWait | null {
  const names = requiredAt(asked, pointer).map((name) => ({
    name,
    at: `${pointer}${pointerOf([name])}`,
  }));
  for (const { name, at } of names) {
    const unit = unitOf(name, typesAt(asked, at));
    if (unit !== null) return { pointer: at, unit };
  }
  if (levels <= 1) return null;
  const deeper = names.map(({ at }) => waitIn(asked, at, levels - 1));
  return deeper.find((found) => found !== null) ?? null;
}

function requiredAt(asked: AskedSchema, pointer: string): readonly string[] {
  const all = partsAt(asked, pointer).flatMap(({ required }) => (Array.isArray(required) ? required : []));
  return [...new Set(all)].filter((name) => typeof name === 'string');
}

function typesAt(asked: AskedSchema, pointer: string): ReadonlySet<unknown> {
  return new Set(partsAt(asked, pointer).flatMap(({ type }) => type ?? []));
}

function partsAt(asked: AskedSchema, pointer: string) {
  return surelyAt(asked, pointer).flatMap((schema) => withParts(schema, asked.references));
}

/** "retry_after_ms", "retryAfterSec", "wait": without what parts words, and with what its unit is called at the end. */
const waitName =
  /^(?:retry(?:after|in)|wait(?:time|for)?)(?:in)?(ms|millis|milliseconds|s|sec|secs|seconds)?$/;

function unitOf(name: string, types: ReadonlySet<unknown>): WaitUnit | null {
  const found = waitName.exec(name.replaceAll(/[-_]/g, '').toLowerCase());
  if (found === null || !(types.has('integer') || types.has('number'))) return null;
  if (found[1]?.startsWith('m') === true) return 'ms';
  return types.has('number') ? 'seconds' : 'whole-seconds';
}
