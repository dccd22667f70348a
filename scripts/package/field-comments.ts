/**
 * What a schema's source says of its fields, by their names: the doc comment above each, indented as a field of a type.
 * @param source The file.
 * @param schema The name of the schema's constant.
 */
export function fieldComments(source: string, schema: string): ReadonlyMap<string, string> {
  const [, after = ''] = source.split(new RegExp(`^(?:export )?const ${schema} = `, 'm'));
  const [block = ''] = after.split(/^(?:\S.*)?;$/m);
  // One level deeper where the object is a link of a chain of calls.
  const indent = /^z$/m.test(block.split('\n', 1)[0] ?? '') ? '    ' : '  ';
  const found = new Map<string, string>();
  const field = new RegExp(`^${indent}(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/)\\n${indent}(\\w+):`, 'gm');
  for (const [, comment = '', name = ''] of block.matchAll(field)) {
    found.set(name, comment.replaceAll(`\n${indent}`, `\n${fieldIndent}`));
  }
  return found;
}

/** How the compiler indents the fields of a type. */
const fieldIndent = '    ';

/** The text of an object type with a comment above each field that has one. */
export function withComments(type: string, comments: ReadonlyMap<string, string>): string {
  return type.replaceAll(/^ {4}(\w+)\??:/gm, (line, name) => {
    const comment = comments.get(name);
    return comment === undefined ? line : `${fieldIndent}${comment}\n${line}`;
  });
}
