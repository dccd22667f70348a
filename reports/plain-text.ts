import { withoutCommands } from './ci-commands.ts';

/**
 * Text from a target, safe to show: characters without a glyph (control characters, escape sequences, direction
 * overrides) are spelled out, commands to a CI system are broken up, and long text is cut. It is cut first, so that a
 * megabyte costs no more than a line.
 */
export function plainText(raw: string, charactersMax: number): string {
  const cut = raw.length > charactersMax;
  const kept = (cut ? raw.slice(0, charactersMax) : raw).toWellFormed();
  const spelled = withoutCommands(kept.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, spelledOut));
  return cut ? `${spelled}… (${raw.length} characters)` : spelled;
}

function spelledOut(character: string): string {
  const known: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const code = character.codePointAt(0) ?? 0;
  return (
    known[character] ??
    (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`)
  );
}
