// The globals of k6 2.2.0 that @types/k6 leaves out, as k6 itself lists them. It has no performance, FormData, structuredClone or
// queueMicrotask either, and Date.now() is its only clock.

declare const console: {
  debug(...values: readonly unknown[]): void;
  error(...values: readonly unknown[]): void;
  info(...values: readonly unknown[]): void;
  log(...values: readonly unknown[]): void;
  warn(...values: readonly unknown[]): void;
};

declare function setTimeout(callback: () => void, delayMs: number): number;
declare function clearTimeout(timer: number): void;
declare function setInterval(callback: () => void, periodMs: number): number;
declare function clearInterval(timer: number): void;

/** Set by the first line of a script that `load --bundle` wrote. */
declare var conformanceLoadParameters: string | undefined;

declare class TextEncoder {
  readonly encoding: 'utf-8';
  encode(text: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(encoding?: string);
  decode(bytes: ArrayBuffer | ArrayBufferView): string;
}

declare const crypto: {
  getRandomValues<Bytes extends ArrayBufferView>(bytes: Bytes): Bytes;
  randomUUID(): string;
};

// k6 has no URL. It is here because the types of contract/ are checked with what imports them, and its schemas, which k6 never runs, use
// one; Biome keeps it out of what k6 runs.
declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string): boolean;
  readonly hash: string;
  readonly host: string;
  readonly hostname: string;
  readonly href: string;
  readonly origin: string;
  readonly password: string;
  readonly pathname: string;
  readonly port: string;
  readonly protocol: string;
  readonly search: string;
  readonly username: string;
}
