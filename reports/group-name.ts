import { grouped } from '../contract/quantities.ts';
import { plainText } from './plain-text.ts';

/** What people call the requests of one key to one scope: "standard, key A". */
export function groupName({ scope, key }: { readonly scope: string; readonly key: string }): string {
  return `${scope}, key ${plainText(key, 20)}`;
}

/** "1 more key and scope", "12 more keys and scopes". */
export function moreGroups(count: number): string {
  return `${grouped(count)} more ${count === 1 ? 'key and scope' : 'keys and scopes'}`;
}
