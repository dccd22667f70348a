import { type Document, visit, type YAMLError } from 'yaml';

/** One thing that is wrong with the writing of a file, and where it begins. */
export type YamlMistake = { readonly offset: number; readonly text: string };

type ErrorCode = YAMLError['code'];

/** Mistakes that leave the rest of a file readable: each is told. Behind all others, what follows is a consequence. */
const alone: ReadonlySet<ErrorCode> = new Set(['DUPLICATE_KEY', 'TAB_AS_INDENT', 'TAG_RESOLVE_FAILED']);

/** What keeps a file of YAML from being read, in plain words; none where it can be. */
export function yamlMistakes(yaml: Document.Parsed, text: string): readonly YamlMistake[] {
  const errors = [...yaml.errors, ...yaml.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED')];
  const [first] = errors.toSorted((one, other) => one.pos[0] - other.pos[0]);
  if (first === undefined) return unreadableAliases(yaml);
  const told = alone.has(first.code) ? errors.filter(({ code }) => code === first.code) : [first];
  return told.map((error) => ({ offset: error.pos[0], text: plainText(error, text) }));
}

/** Aliases that stand for nothing, or for more than can be held. */
function unreadableAliases(yaml: Document.Parsed): readonly YamlMistake[] {
  const found: YamlMistake[] = [];
  visit(yaml, {
    Alias: (_, alias) => {
      if (alias.resolve(yaml) !== undefined) return;
      const text = `*${alias.source} stands for nothing: no value before it is marked as &${alias.source}`;
      found.push({ offset: alias.range?.[0] ?? 0, text });
    },
  });
  if (found.length > 0) return found;
  try {
    yaml.toJS();
    return [];
  } catch {
    return [{ offset: 0, text: 'its aliases stand for too much: write the values out' }];
  }
}

function plainText({ code, message, pos: [at] }: YAMLError, text: string): string {
  const unclosed = unclosedText(message, text);
  if (unclosed !== null) return unclosed;
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'a tab begins this line: indent with spaces';
    case 'DUPLICATE_KEY':
      return 'this field stands here for the second time: leave one of them out';
    case 'MULTIPLE_DOCS':
      return 'a second document begins here: a file has one, so leave out "---" and what follows, or put it into a file of its own';
    case 'BAD_INDENT':
      return 'this line begins in another column than the lines that it belongs to: indent them alike';
    case 'BLOCK_AS_IMPLICIT_KEY':
      return /^[^\n]*:\s/.test(text.slice(at))
        ? 'this value has a colon in it: put the value in quotes'
        : 'the next line is read as part of this value, since it is indented deeper: indent both lines alike';
    case 'MULTILINE_IMPLICIT_KEY':
      return text.startsWith('- ', at)
        ? 'an entry of a list cannot stand beside fields: it belongs below the name of one'
        : 'this line has no ": " behind the name of a field: write it like `limit: 40`';
    case 'BAD_SCALAR_START':
      return `a value cannot begin with "${text.charAt(at)}": put the value in quotes`;
    case 'BAD_DQ_ESCAPE':
      return 'a backslash in double quotes means something else: write it twice, or take single quotes';
    case 'TAG_RESOLVE_FAILED':
      return 'a value cannot begin with "!" and a name: leave that out, or put the value in quotes';
    case 'UNEXPECTED_TOKEN':
      return message.endsWith('at node end')
        ? 'the value has ended before this: put all of it in one pair of quotes'
        : 'this cannot stand here';
    default:
      return `the file cannot be read from here on (${message})`;
  }
}

/** What was opened and never closed is noticed where the file ends, or at the next mistake. */
function unclosedText(message: string, text: string): string | null {
  const [, quote] = /^Missing closing (["'])quote/.exec(message) ?? [];
  if (quote !== undefined) return `a ${quote} that was opened before is never closed${openedIn(quote, text)}`;
  const [, bracket] = /must (?:be .* and )?end with a ([\]}])$/.exec(message) ?? [];
  if (bracket === undefined) return null;
  return `a ${bracket === ']' ? '[' : '{'} that was opened before is not closed here: write ${bracket} behind what belongs in it`;
}

/** The last line in which such a quote has no other beside it. */
function openedIn(quote: string, text: string): string {
  const at = text.split('\n').findLastIndex((line) => line.split(quote).length % 2 === 0);
  return at === -1 ? '' : `: look at line ${at + 1}`;
}
