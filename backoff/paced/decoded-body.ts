import zlib from 'node:zlib';

type Decode = (bytes: Uint8Array, bound: { readonly maxOutputLength: number }) => Buffer;

const gunzip: Decode = (bytes, bound) => zlib.gunzipSync(bytes, bound);

/** By the names of RFC 9110 §8.4.1, and what fetch accepts besides. */
const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (bytes, bound) => inflate(bytes)(bytes, bound),
  br: (bytes, bound) => zlib.brotliDecompressSync(bytes, bound),
  zstd: (bytes, bound) => zlib.zstdDecompressSync(bytes, bound),
  identity: (bytes) => Buffer.from(bytes),
};

/** One after the other; nobody needs more. */
const codingsMax = 5;

/**
 * The text of a body, given its `Content-Encoding`; `null` where it cannot be decoded, or has more than `bytesMax` then. It has come whole: fetch
 * asks for compressed bodies by itself, and decodes only what it hands to its caller.
 */
export function decodedBody(bytes: Uint8Array, coding: string | null, bytesMax: number): string | null {
  const codings = (coding ?? 'identity').split(',').map((name) => name.trim().toLowerCase());
  if (codings.length > codingsMax) return null;
  let decoded = Buffer.from(bytes);
  try {
    // The last one was applied last.
    for (const name of codings.toReversed()) {
      const decode = decoders[name];
      if (decode === undefined) return null;
      decoded = Buffer.from(decode(decoded, { maxOutputLength: bytesMax }));
    }
  } catch {
    return null;
  }
  return decoded.toString();
}

/** Some servers send the bare stream, without the frame that begins with 8 in its low half (RFC 1950 §2.2). */
function inflate([first = 0]: Uint8Array): Decode {
  const isFramed = (first & 0x0f) === 0x08;
  return (bytes, bound) => (isFramed ? zlib.inflateSync(bytes, bound) : zlib.inflateRawSync(bytes, bound));
}
