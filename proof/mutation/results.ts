import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** What became of the mutants of one file. */
const scoreSchema = z.strictObject({
  /** The fingerprint of the file as it was measured. */
  code: z.string(),
  /** All but those of sentences. */
  mutants: z.number().int().min(0),
  /** A test failed, or ran without end. */
  killed: z.number().int().min(0),
  /** Its own file no longer compiles: nobody can make this change, and no test is asked about it. */
  refused: z.number().int().min(0),
  /** It counts only while its file loads, and the run did not take the time to start Vitest for it. */
  untried: z.number().int().min(0).default(0),
  /** No test failed, and `survivors.json` says why none has to. */
  argued: z.number().int().min(0),
});
export type Score = z.infer<typeof scoreSchema>;

const scoresSchema = z.strictObject({
  measured: z.record(z.string(), scoreSchema),
  /** Files that no run has tried yet. */
  notYetMeasured: z.array(z.string()),
});
export type Scores = z.infer<typeof scoresSchema>;

/** A mutant that no test kills, and why none has to. */
const survivorSchema = z.strictObject({
  file: z.string(),
  /** The line on which the mutated text begins, without the space around it. */
  line: z.string(),
  /** What is replaced, with single spaces. */
  text: z.string(),
  by: z.string(),
  reason: z.string(),
});
export type Survivor = z.infer<typeof survivorSchema>;

const folder = import.meta.dirname;
export const scoresFile = `${folder}/scores.json`;

export async function readScores(): Promise<Scores> {
  return scoresSchema.parse(JSON.parse(await readFile(scoresFile, 'utf8')));
}

export async function readSurvivors(): Promise<readonly Survivor[]> {
  return z.array(survivorSchema).parse(JSON.parse(await readFile(`${folder}/survivors.json`, 'utf8')));
}

export type MutantPlace = Omit<Survivor, 'reason'>;

/** Whether a reason is given why no test can tell. */
export function isArgued(place: MutantPlace, survivors: readonly Survivor[]): boolean {
  return survivors.some((one) => isSamePlace(one, place));
}

export function isSamePlace(one: MutantPlace, other: MutantPlace): boolean {
  return one.file === other.file && one.line === other.line && one.text === other.text && one.by === other.by;
}

/** Text as it is compared: where a formatter breaks lines does not matter. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** All files together, in the words of the README. */
export function summaryOf({ measured, notYetMeasured }: Scores): string {
  const scores = Object.values(measured);
  const sum = (one: keyof Omit<Score, 'code'>) => scores.reduce((total, score) => total + score[one], 0);
  const [mutants, killed, refused] = [sum('mutants'), sum('killed'), sum('refused')];
  const [untried, argued] = [sum('untried'), sum('argued')];
  const tried = mutants - refused - untried;
  const share = tried === 0 ? '–' : `${((100 * killed) / tried).toFixed(1)} %`;
  const files = `${scores.length} of ${scores.length + notYetMeasured.length} files`;
  return (
    `${mutants} changes in ${files}: the types refuse ${refused}, ${untried} count only while a file loads and are not tried, ` +
    `tests notice ${killed} of the other ${tried} (${share}), ${argued} make no difference, ${tried - killed - argued} are open`
  );
}
