import process from 'node:process';
import type { ProbeKey } from '../checks/http-request.ts';
import { type MaskStream, maskStream } from '../contract/secret/mask-stream.ts';
import { maskerOf } from '../contract/secret/masker.ts';
import { commandFilter } from '../reports/ci-commands.ts';
import type { Session } from '../run/run-context.ts';

/** What text is written to, as far as this needs it. */
type Output = { write: (text: string | Uint8Array, ...rest: never[]) => boolean };

/** A shorter secret, or a number, may stand anywhere by chance, in JSON as well: such ones are masked where they come in. */
function isTelling({ secret }: ProbeKey): boolean {
  return secret.length >= 8 && /\D/.test(secret);
}

/** What comes in several pieces comes sooner than this, ms; people do not see that a character is late. */
const showAfterMs = 20;

/**
 * Masks in everything that is written from now on what a session hides, also where one write ends within it: the last
 * line of defence, for whatever a command prints of an answer. Commands to a CI system are broken up, too.
 */
export function guardOutput(output: Output, session: Pick<Session, 'hidden'>): void {
  const write = output.write.bind(output);
  let hidden: readonly ProbeKey[] = [];
  let stream: MaskStream | null = null;
  const filter = commandFilter();
  const rest = (): void => {
    const text = stream?.end() ?? '';
    if (text !== '') write(filter(text));
  };
  let isAwaited = false;
  const show = (): void => {
    isAwaited = false;
    const text = stream?.show() ?? '';
    if (text !== '') write(filter(text));
  };
  output.write = (piece, ...more) => {
    if (session.hidden !== hidden) {
      rest();
      hidden = session.hidden;
      const telling = hidden.filter(isTelling);
      const masker = maskerOf(
        telling.map(({ alias, secret }) => ({ secret, maskOf: () => `[key ${alias}]` })),
      );
      stream = telling.length === 0 ? null : maskStream(masker);
    }
    if (typeof piece !== 'string') return write(piece, ...more);
    if (stream === null) return write(filter(piece), ...more);
    if (!isAwaited) setTimeout(show, showAfterMs).unref();
    isAwaited = true;
    return write(filter(stream.write(piece)), ...more);
  };
  process.once('exit', rest);
}
