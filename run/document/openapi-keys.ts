import { bearerHeader } from '../../contract/document/key-place.ts';
import { type Keys, keysSchema } from '../../contract/document/keys.ts';
import { isSameHeader } from '../../contract/header-name.ts';
import type { DraftField } from './draft.ts';
import type { KeyWay } from './openapi.ts';

/** What a document says of its keys, and the headers of further ones. */
export type DraftedKeys = {
  readonly field: DraftField;
  /** Headers that requests need besides, whose values the environment holds. */
  readonly otherHeaders: readonly string[];
};

/** How a file says that keys are sent, as a document has it: bearer tokens first, then a header, then the query. */
export function draftedKeys(ways: readonly KeyWay[]): DraftedKeys {
  const chosen =
    ways.find(({ kind }) => kind === 'bearer') ??
    ways.find((way) => way.kind !== 'query' && keysBy(way) !== null) ??
    ways.find((way) => keysBy(way) !== null);
  const otherHeaders = ways.flatMap((way) =>
    way === chosen ||
    way.kind !== 'header' ||
    keysBy(way) === null ||
    isSameHeader(bearerHeader.name, way.name)
      ? []
      : [way.name],
  );
  return { field: { name: 'keys', ...saidOf(chosen ?? ways[0]) }, otherHeaders };
}

function saidOf(way: KeyWay | undefined): Omit<DraftField, 'name'> {
  if (way === undefined) {
    const said = ['The file does not say that a request needs a key.'];
    return {
      value: 'none',
      said,
      todo: 'if none is needed, add countedBy: address, and leave out --key-env',
    };
  }
  switch (way.kind) {
    case 'bearer':
      return { value: 'bearer', said: ['Keys are bearer tokens.'] };
    case 'basic': {
      const said = ['A key is a user and a password: the variable holds USER:PASSWORD as base64.'];
      return { value: keysBy(way), said };
    }
    default: {
      const value = keysBy(way);
      if (value === null)
        return { value: 'none', said: [`Keys are sent as ${way.name}, which a document cannot say yet.`] };
      if (way.kind === 'query') return { value, said: [`A key goes into the query, as ${way.name}.`] };
      const said = [`A key goes into the header ${way.name}.`];
      if (!isSameHeader(bearerHeader.name, way.name)) return { value, said };
      const scheme = way.kind === 'header' ? wordBeforeKey(way.description) : null;
      return scheme === null
        ? { value, said, todo: 'if a word stands before the key, as in "Token KEY", add scheme: Token' }
        : {
            value: { header: way.name, scheme },
            said,
            todo: `read from a sentence: does "${scheme}" stand before the key?`,
          };
    }
  }
}

/** The word before a key, as a description quotes it: `Token your-api-key`, `Token <key>`; `null` where none does. */
function wordBeforeKey(description: string): string | null {
  const [, word] =
    /[`'"](?:Authorization: )?([A-Za-z][\w-]{0,39}) [<{[]?(?:your|my|api|access|secret|token|key)[\w .-]{0,40}[>}\]]?[`'"]/i.exec(
      description,
    ) ?? [];
  return word === undefined || /^(?:an?|the|your)$/i.test(word) ? null : word;
}

/** The way as a document has it; `null` where it cannot say it. */
function keysBy(way: KeyWay): Keys | null {
  if (way.kind === 'basic') return { header: bearerHeader.name, scheme: 'Basic' };
  if (way.kind !== 'header' && way.kind !== 'query') return null;
  const keys = keysSchema.safeParse({ [way.kind]: way.name });
  return keys.success ? keys.data : null;
}
