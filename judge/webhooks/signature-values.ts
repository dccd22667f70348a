/** What a value of the signature's header may hold. */
export type SignatureValue = {
  /** What may be the signature, the whole value first. */
  readonly signatures: readonly [whole: string, ...parts: string[]];
  /** Times beside it, by what they are called, as in `t=1760000040,v1=…`. */
  readonly times: readonly (readonly [name: string, time: string])[];
};

/** Parts of one value that are tried, at most. */
const partsMax = 8;

/** Shorter parts are names of versions and algorithms, and no signatures. */
const signatureCharactersMin = 16;

/** The parts of a value: without a name before it and quotes around it, and those of a list of several. */
export function signatureValue(value: string): SignatureValue {
  const whole = value.trim();
  const parts = whole
    .split(/[\s,;]+/)
    .slice(0, partsMax)
    .map(named);
  const times = parts.flatMap(({ name, text }) =>
    name !== '' && /^\d{9,19}$/.test(text) ? [[`the "${name}" of the value`, text] as const] : [],
  );
  const several = parts.map(({ text }) => text).filter((text) => text.length >= signatureCharactersMin);
  const { text: signature } = named(whole);
  return { signatures: [signature, ...new Set(several.filter((text) => text !== signature))], times };
}

function named(part: string): { readonly name: string; readonly text: string } {
  const { name = '', text = part } =
    /^["']?(?<name>[a-z][a-z0-9_-]{0,15})[=:]\s*(?=[^=])(?<text>.*)/is.exec(part)?.groups ?? {};
  return { name, text: text.replaceAll(/^["']|["']$/g, '') };
}
