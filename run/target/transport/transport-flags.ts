import type { z } from 'zod';
import type { transportSchema } from '../../../contract/transport.ts';

/** The way to the target, as flags and environment say it. The names of the fields are commander's. */
export type TransportFlags = {
  readonly ca?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly proxy?: string;
  readonly http?: '1.1' | '2';
  readonly ip?: '4' | '6';
  readonly resolve?: readonly string[];
};

const names = ['ca', 'clientCert', 'clientKey', 'proxy', 'http', 'ip', 'resolve'] as const;

type Given = z.input<typeof transportSchema>;

/** Flags over the settings file; `undefined` where neither says anything. */
export function transportInput(flags: TransportFlags, file?: unknown): Given | undefined {
  const given = names.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]] as const]));
  if (given.length === 0) return file as Given | undefined;
  return { ...(file as Given | undefined), ...Object.fromEntries(given) };
}

/** The first of these flags that was given, as it is typed; `null` where none was. */
export function firstTransportFlag(flags: TransportFlags): string | null {
  const name = names.find((one) => flags[one] !== undefined);
  return name === undefined ? null : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
