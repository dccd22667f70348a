import { plainText } from './plain-text.ts';

/** What people call the requests of one key to one scope: "standard, key A". */
export function groupName({ scope, key }: { readonly scope: string; readonly key: string }): string {
  return `${scope}, key ${plainText(key, 20)}`;
}
