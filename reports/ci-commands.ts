/**
 * What a CI system obeys where it reads a log: `::error::` of GitHub, which begins a line or follows its spaces, and
 * `##[error]`, `##vso[…]` and `##teamcity[…]`, which stand anywhere. Nothing of this project says such a thing, so that
 * whatever looks like one is the text of somebody else.
 */
const colonCommand = /::(?=[a-z][a-z-]*(?:::|\s|$))/gi;
const hashCommand = /##(?=[a-z]*\[)/gi;

/** Text of others with its commands broken up, wherever in a line it will stand. */
export function withoutCommands(text: string): string {
  return text.replace(colonCommand, ': :').replace(hashCommand, '# #');
}

/** Lets through a stream what is no command. Beyond a line's spaces `::` is harmless, and stays: it may be JSON. */
export function commandFilter(): (piece: string) => string {
  let atBeginning = true;
  return (piece) => {
    const lines = piece.split('\n').map((line, at) => {
      const begins = at > 0 || atBeginning;
      atBeginning = begins && line.trim() === '';
      // Spelt so, it is the same text still where it is a string of JSON.
      const safe = line.replace(hashCommand, '#\\u0023');
      return begins ? safe.replace(/^(\s*):(?=:)/, '$1\\u003a') : safe;
    });
    return lines.join('\n');
  };
}
