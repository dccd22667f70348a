import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/**
 * Requests of HTTP/1.1 that leave together. Each is made and handed to its connection, which holds it back; once all are
 * there, one after another leaves with nothing to do in between. So the time between the first and the last is that of
 * their writes alone.
 */
export type Volley = {
  /** Called where a request is about to be written; `onLeaves` where it leaves, unless it could not be held back. */
  readonly starts: (onLeaves: () => void) => void;
  /** Lets go what is held, in the order in which it was written, and holds nothing back from then on. */
  readonly leave: () => void;
};

/** A connection that holds back what is written to it, and what to do when that leaves. */
type Held = { readonly socket: Socket; readonly onLeaves: () => void };

/** Takes the connection of the request that starts: `null` where none is to be held back. */
let holds: ((socket: Socket) => void) | null = null;

// undici names the connection of a request right after the request started, and right before it writes to it.
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: Socket };
  holds?.(socket);
  holds = null;
});

export function openVolley(): Volley {
  const held: Held[] = [];
  let isOver = false;
  return {
    starts: (onLeaves) => {
      holds = (socket) => {
        if (isOver) return;
        socket.cork();
        held.push({ socket, onLeaves });
      };
    },
    leave: () => {
      isOver = true;
      for (const { socket, onLeaves } of held.splice(0)) {
        onLeaves();
        socket.uncork();
      }
    },
  };
}
