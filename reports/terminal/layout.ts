import { type InspectColor, styleText } from 'node:util';
import type { Tone } from '../outcome.ts';

/** The terminal that a report is written for. */
export type TerminalOptions = {
  /** Width of the terminal, in characters; at least 80 are used for what has tables. */
  readonly columns: number;
  readonly colour: 'always' | 'never';
};

/** How text is set off: by the colour of a verdict, as a heading, or as a detail. */
export type Style = Tone | 'heading' | 'detail';

/** How a report is laid out. */
export type Layout = {
  /** Width of the terminal, in characters. */
  readonly columns: number;
  readonly paint: (style: Style, text: string) => string;
};

export const columnsMin = 80;

const formats: Readonly<Record<Style, InspectColor>> = {
  good: 'green',
  bad: 'red',
  open: 'yellow',
  quiet: 'cyan',
  heading: 'bold',
  detail: 'dim',
};

export function layoutOf(options: TerminalOptions, least = columnsMin): Layout {
  const paint =
    options.colour === 'always'
      ? (style: Style, text: string) => styleText(formats[style], text, { validateStream: false })
      : (_style: Style, text: string) => text;
  return { columns: Math.max(least, options.columns), paint };
}

/** One line, cut with an ellipsis where it is longer than `width` characters. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
}

/** Words broken into lines of at most `width` characters; a longer word stays whole. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** A label with its text to the right, in lines: `  expected  at most 120 …`. */
export function labelled(
  label: string,
  text: string,
  options: { readonly columns: number; readonly indent: number; readonly labelWidth: number },
): readonly string[] {
  const { columns, indent, labelWidth } = options;
  const hanging = ' '.repeat(indent + labelWidth + 2);
  const [first = '', ...others] = wrap(text, columns - hanging.length);
  return [
    `${' '.repeat(indent)}${label.padEnd(labelWidth)}  ${first}`,
    ...others.map((line) => hanging + line),
  ];
}
