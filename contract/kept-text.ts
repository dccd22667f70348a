/** Characters of an error body that a trace keeps. */
export const bodyCharactersMax = 2_048;

/** Characters of one header value that a trace keeps. */
export const headerCharactersMax = 512;
