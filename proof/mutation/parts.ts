/** Files that are measured together, by the tests that know them best. */
export type Part = {
  /** A folder or a file of the repository; a file belongs to the part with the longest path that it lies in. */
  readonly folder: string;
  /** Matches the paths of its tests. */
  readonly tests: RegExp;
};

/**
 * Whole runs with small limits, and the tests of the counting judges without those that only show that long traces take no
 * harm and that all comes from one trace.
 */
const ofCounting =
  /^(proof\/mutation\/small-runs\.test\.ts|judge\/((?!long-traces|examine)[^/]+|(certificates|scenarios)\/.+))$/;

/** Small runs, and traces drawn by chance, whose proofs another program confirms. */
const ofProofs = /^(proof\/mutation\/confirmed\.test\.ts|judge\/(certificates\/.+|judge-trace\.test\.ts))$/;

/** Of each fit and each step by itself. Whole traces that are identified take ten times as long, and tell what changed less well. */
const ofSteps = /^judge\/identify\/(?!identify(-long)?\.test|stacked|soundness)/;

/** Whole runs of limits of each kind. Those in hostile worlds take as long as all others together, and show what does no harm. */
const ofPromises =
  /^(judge\/(promises\/|of-document\.test|outer\.test)|proof\/(promises\/(?!soundness)|documents\/(counted-by|within)))/;

const parts: readonly Part[] = [
  { folder: 'judge/', tests: ofCounting },
  { folder: 'judge/certificates/', tests: ofProofs },
  { folder: 'judge/examine.ts', tests: /^judge\/examine\.test\.ts$/ },
  { folder: 'judge/identify/', tests: ofSteps },
  {
    folder: 'judge/identify/identify.ts',
    tests: /^judge\/identify\/(identify|overshoot|taken-before)\.test/,
  },
  { folder: 'judge/identify/stacked.ts', tests: /^judge\/identify\/(stacked|under-cap)\.test/ },
  { folder: 'judge/promises/', tests: ofPromises },
  { folder: 'judge/pictures/', tests: /^judge\/pictures\// },
  { folder: 'judge/clients/', tests: /^judge\/clients\// },
  { folder: 'judge/webhooks/', tests: /^judge\/webhooks\// },
  { folder: 'contract/', tests: /^contract\/[^/]+$/ },
  { folder: 'contract/body-schema/', tests: /^contract\/body-schema\// },
  { folder: 'contract/document/', tests: /^contract\/(document|body-schema)\// },
  { folder: 'contract/breaker.ts', tests: /^proof\/bounds\/breaker\.test\.ts$/ },
  { folder: 'contract/secret/', tests: /^contract\/secret[/.]/ },
  { folder: 'contract/clients/', tests: /^(contract|judge)\/clients\// },
  { folder: 'contract/webhooks/', tests: /^(contract|judge)\/webhooks\// },
];

/** Tables of texts and of values that the document states: a test of them would say the same words again. */
export const dataAlone: readonly string[] = [
  'contract/clauses/',
  'contract/clients/clauses.ts',
  'contract/limiter-words.ts',
  'contract/statements.ts',
  'contract/webhooks/clauses.ts',
  'contract/webhooks/drive/cases/',
];

/** A production file, neither a test nor a helper of tests nor data alone. */
export function isMutated(file: string): boolean {
  const isProduction = /^(judge|contract)\/.*\.ts$/.test(file) && !/\.test\.ts$|\/testing\//.test(file);
  return isProduction && !dataAlone.some((path) => liesIn(file, path));
}

export function partOf(file: string): Part {
  const [part] = parts
    .filter(({ folder }) => liesIn(file, folder))
    .toSorted((left, right) => right.folder.length - left.folder.length);
  if (part === undefined) throw new Error(`No part of proof/mutation/parts.ts has ${file}.`);
  return part;
}

/** Whether a file is a path, or lies in the folder that a path with a last slash names. */
export function liesIn(file: string, path: string): boolean {
  return file === path || (path.endsWith('/') && file.startsWith(path));
}
