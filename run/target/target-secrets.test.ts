import { expect, it } from 'vitest';
import { messagingDocument } from '../../contract/document/messaging.ts';
import { passwordsIn } from './target-secrets.ts';

const basic = { ...messagingDocument, keys: { header: 'Authorization', scheme: 'Basic' } };
const keyOf = (text: string) => [{ alias: 'A', secret: Buffer.from(text).toString('base64') }];

it.each([
  ['bob:pass:word', ['pass:word']],
  ['bob:dürfen', ['dürfen']],
  ['bob:short', []],
  ['no colon in it', []],
])('of %j, the password may not be written either', (text, passwords) => {
  expect(passwordsIn(keyOf(text), { document: basic }).map(({ secret }) => secret)).toEqual(passwords);
  expect(passwordsIn(keyOf(text), { document: messagingDocument })).toEqual([]);
});
