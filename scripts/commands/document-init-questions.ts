import { promiseKinds } from '../../contract/document/promise.ts';
import { assumed, type SaidOfLimit } from '../../run/document/drafted-limit.ts';
import type { SeenLimit } from '../../run/document/seen-limits.ts';
import { openQuestioner, type Questioner } from '../display/questioner.ts';
import type { CommandIo } from './command-io.ts';
import type { InitFlags } from './document-init-flags.ts';

type Asking = { readonly flags: InitFlags; readonly seen: SeenLimit | undefined };

/** Flags, then what a person answers; `null` where the questions were broken off. */
export async function askAboutLimit(io: CommandIo, { flags, seen }: Asking): Promise<SaidOfLimit | null> {
  const given: SaidOfLimit = {
    title: flags.title ?? null,
    limit: flags.limit ?? null,
    windowSeconds: flags.window ?? null,
    promise: flags.promise ?? null,
  };
  if (flags.yes === true || io.stdin.isTTY !== true) return given;
  const questioner = openQuestioner({ input: io.stdin, output: io.stdout });
  try {
    const limit = await askUnlessGiven(questioner, given.limit, {
      text: 'How many requests pass in a window?',
      usual: seen?.limit ?? null,
      flawOf: wholeFlaw,
    });
    if (limit === null) return null;
    const seconds = await askUnlessGiven(questioner, given.windowSeconds, {
      text: 'How long is a window, in seconds?',
      usual: seen?.window?.seconds ?? null,
      flawOf: secondsFlaw,
    });
    if (seconds === null) return null;
    const promise = await askUnlessGiven(questioner, given.promise, {
      text: `What kind of limit is promised? One of ${promiseKinds.join(', ')}`,
      usual: assumed.promise,
      flawOf: (text) => (promiseKinds.some((kind) => kind === text) ? null : 'It must be one of these.'),
    });
    if (promise === null) return null;
    return { ...given, limit: Number(limit), windowSeconds: Number(seconds), promise: String(promise) };
  } finally {
    questioner.close();
  }
}

type Question = {
  readonly text: string;
  readonly usual: string | number | null;
  readonly flawOf: (answer: string) => string | null;
};

async function askUnlessGiven(
  questioner: Questioner,
  given: string | number | null,
  { text, usual, flawOf }: Question,
): Promise<string | number | null> {
  return given ?? questioner.ask({ text, usual: usual === null ? null : String(usual) }, flawOf);
}

function wholeFlaw(text: string): string | null {
  return /^[1-9]\d{0,5}$/.test(text) ? null : 'It must be a whole number above 0.';
}

function secondsFlaw(text: string): string | null {
  const seconds = Number(text);
  return seconds >= 1 && seconds <= 3_600 ? null : 'It must be a number of seconds from 1 to 3600.';
}
