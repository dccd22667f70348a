import fc from 'fast-check';

/** Any character of Unicode but halves of pairs: the unit `binary` of fast-check, whose table takes seconds to set up. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));
