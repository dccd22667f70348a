import type { Dispatcher } from 'undici';

/** A dispatcher was closed or destroyed; with the codes of undici, whose dispatchers say the same. */
class PacedEndedError extends Error {
  override readonly name = 'PacedEndedError';
  readonly code: 'UND_ERR_CLOSED' | 'UND_ERR_DESTROYED';

  constructor(code: PacedEndedError['code']) {
    super(`the paced dispatcher is ${code === 'UND_ERR_CLOSED' ? 'closed' : 'destroyed'}`);
    this.code = code;
  }
}

/** Whether a dispatcher refused a request because it has ended: it was not sent then. */
export function saysEnded(error: Error): boolean {
  return 'code' in error && (error.code === 'UND_ERR_CLOSED' || error.code === 'UND_ERR_DESTROYED');
}

/** A request that has no answer yet. */
export type OpenRequest = {
  /** Fails it, unless it is on its way: that is the business of the dispatcher that sends it. */
  giveUp(reason: Error): void;
};

/** How one dispatcher ends: what it has taken and not answered yet, and whether it takes more. */
export type Ending = {
  /** Why no request is taken any more; `null` while they are. */
  reason(): Error | null;
  taken(request: OpenRequest): void;
  /** The caller has been told how it ended. */
  over(request: OpenRequest): void;
  /** Takes nothing more, and resolves when all is answered. */
  close(): Promise<void>;
  /** Takes nothing more, and fails what waits. */
  destroy(reason: Error | null): void;
};

export function createEnding(): Ending {
  const open = new Set<OpenRequest>();
  const onEmpty = new Set<() => void>();
  let reason: Error | null = null;
  return {
    reason: () => reason,
    taken: (request) => void open.add(request),
    over(request) {
      open.delete(request);
      if (open.size > 0) return;
      for (const resolve of onEmpty) resolve();
      onEmpty.clear();
    },
    close() {
      reason ??= new PacedEndedError('UND_ERR_CLOSED');
      return open.size === 0 ? Promise.resolve() : new Promise((resolve) => onEmpty.add(resolve));
    },
    destroy(given) {
      reason = given ?? new PacedEndedError('UND_ERR_DESTROYED');
      for (const request of [...open]) request.giveUp(reason);
    },
  };
}

type Callback = (error?: unknown) => void;

/**
 * A dispatcher with an interceptor whose requests wait, and which ends as undici's own do. Undici's `compose` tells an interceptor of
 * neither `close` nor `destroy`, and hands both to the dispatcher below, which knows nothing of what waits.
 */
export function endingWith(
  below: Dispatcher,
  interceptor: Dispatcher.DispatcherComposeInterceptor,
  ending: Ending,
): Dispatcher {
  const close = (callback?: Callback) =>
    told(
      ending.close().then(() => below.close()),
      callback,
    );
  const destroy = (first?: Error | Callback | null, callback?: Callback): Promise<void> | undefined => {
    if (typeof first === 'function') return destroy(null, first);
    ending.destroy(first ?? null);
    return told(below.destroy(first ?? null), callback);
  };
  const own = new Map<PropertyKey, unknown>([
    ['close', close],
    ['destroy', destroy],
  ]);
  return new Proxy(below.compose(interceptor), {
    get: (target, name) => own.get(name) ?? Reflect.get(target, name),
  });
}

/** A promise, or a callback that is told instead, as undici takes either. */
function told(ended: Promise<void>, callback: Callback | undefined): Promise<void> | undefined {
  if (callback === undefined) return ended;
  ended.then(() => callback(null), callback);
  return undefined;
}
