/** Blocks of lines that are shown in a second, at most; more would only slow down what writes them. */
const blocksMax = 100;

/** Shows blocks of lines as they come; what is too much in a second is counted in its place. */
export type BoundedLines = {
  readonly show: (lines: readonly string[], nowMs: number) => void;
  /** Says what was left out since it was last said. */
  readonly end: () => void;
};

export function boundedLines(write: (text: string) => void): BoundedLines {
  let second = Number.NaN;
  let shown = 0;
  let leftOut = 0;
  const end = (): void => {
    if (leftOut > 0) write(`  … and ${leftOut} more\n`);
    leftOut = 0;
  };
  return {
    show: (lines, nowMs) => {
      if (Math.floor(nowMs / 1_000) !== second) {
        second = Math.floor(nowMs / 1_000);
        shown = 0;
        end();
      }
      shown += 1;
      if (shown > blocksMax) leftOut += 1;
      else write(lines.map((line) => `${line}\n`).join(''));
    },
    end,
  };
}
