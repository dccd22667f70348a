/** A block of code of a page: fenced, or indented by four or more after an empty line. */
export type Block = {
  /** The line of the page on which it begins, from 1. */
  readonly line: number;
  /** What stands after the fence; empty for an indented block. */
  readonly language: string;
  /** Without what all its lines are indented by. */
  readonly text: string;
};

/** All blocks of a page, in its order. */
export function blocksOf(page: string): readonly Block[] {
  const lines = page.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const fence = /^\s*```(\S*)/.exec(lines[at] ?? '');
    if (fence === null && !isIndented(lines, at)) continue;
    const first = fence === null ? at : at + 1;
    let end = first;
    while (end < lines.length && (fence === null ? goesOn(lines, end) : !/^\s*```/.test(lines[end] ?? '')))
      end += 1;
    blocks.push({ line: at + 1, language: fence?.[1] ?? '', text: unindented(lines.slice(first, end)) });
    at = end;
  }
  return blocks;
}

function isIndented(lines: readonly string[], at: number): boolean {
  return /^ {4,}\S/.test(lines[at] ?? '') && (lines[at - 1] ?? '').trim() === '';
}

/** Within an indented block: also an empty line with more of it below. */
function goesOn(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return line.startsWith('    ') || (line === '' && (lines[at + 1] ?? '').startsWith('    '));
}

function unindented(lines: readonly string[]): string {
  const widths = lines.filter((line) => line !== '').map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...widths))).join('\n');
}
