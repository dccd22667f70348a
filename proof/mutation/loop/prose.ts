import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** The nodes of Babel that are looked at here. */
type Node = {
  readonly type: string;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  readonly expressions?: readonly { readonly type: string }[];
};

const computing: ReadonlySet<string> = new Set([
  'BinaryExpression',
  'ConditionalExpression',
  'LogicalExpression',
  'CallExpression',
]);

/** Leaves sentences alone: what they say is for people, and a test that repeats them proves nothing. */
export const proseIgnorer = declareValuePlugin(PluginKind.Ignore, 'prose', {
  shouldIgnore: (path) => {
    const { node } = path as { readonly node: Node };
    return isProse(node) ? 'a sentence for people' : undefined;
  },
});

function isProse({ type, value, quasis = [], expressions = [] }: Node): boolean {
  if (type === 'StringLiteral') return typeof value === 'string' && /\S\s+\S/.test(value);
  if (type !== 'TemplateLiteral' || expressions.some((one) => computing.has(one.type))) return false;
  return quasis.some(({ value: { raw } }) => /\s/.test(raw));
}
