import type { Facts, Family, Parameters } from './families.ts';

/** All combinations on a family's axes that differ in what they do. */
export function gridOf(family: Family, facts: Facts): readonly Parameters[] {
  let combined: readonly Parameters[] = [{}];
  for (const [name, values] of Object.entries(family.axes(facts))) {
    combined = combined.flatMap((parameters) => values.map((value) => ({ ...parameters, [name]: value })));
  }
  return combined.filter(isDistinct);
}

/** What lies one step beside given parameters, in each direction of each; `step` is the factor, above 1. */
export function neighboursOf(parameters: Parameters, step: number): readonly Parameters[] {
  const names = Object.keys(parameters);
  return names.flatMap((name) =>
    [step, 1 / step].map((factor) => ({
      ...parameters,
      [name]: settled(name, (parameters[name] ?? 0) * factor),
    })),
  );
}

/** A cap below what it caps is another spread. */
function isDistinct({ capMs = 0, jitterMs = 0, baseMs = 0 }: Parameters): boolean {
  return capMs >= Math.max(jitterMs, baseMs);
}

/** As a person would write it: two digits, and within what makes sense. */
function settled(name: string, value: number): number {
  if (name === 'sharers') return Math.max(1, Math.round(value));
  if (name === 'growth') return Math.min(4, Math.max(1.5, Math.round(value * 10) / 10));
  const written = Number(value.toPrecision(2));
  return name === 'below' ? Math.min(1, written) : Math.round(written);
}
