import type { Dispatcher } from 'undici';
import { createEnding, type Ending, endingWith } from './ending.ts';
import { requestHeader } from './headers.ts';
import type { PacedOptions, PacedSettings } from './options.ts';
import { refuse, startPaced } from './paced-request.ts';
import { processClock } from './process-clock.ts';
import { createQueues } from './queues.ts';
import { costIn, type PacedRequestHead, type Scopes, scopeOf } from './scopes.ts';
import { settingsByScope, settle } from './settings.ts';
import { isRecord, PacedSettingsError } from './settings-error.ts';

/** An interceptor for undici's `compose`, and what a caller may ask of it. */
export type Paced = Dispatcher.DispatcherComposeInterceptor & {
  /** Requests that wait now, of all scopes and keys. */
  waiting(): number;
  /** Resolves as soon as no queue is longer than half of `queueMax`: back-pressure for whoever produces requests. */
  room(): Promise<void>;
  /**
   * The dispatcher with this interceptor, which ends as undici's own do: `close()` takes nothing more, sends what waits, and resolves when all is
   * answered; `destroy()` fails what waits at once. After a `compose`, neither knows of what waits here: it
   * fails when its turn comes, and keeps the process alive until then.
   */
  over(dispatcher: Dispatcher): Dispatcher;
};

/**
 * Keeps a process within the rate limits of a service, so that requests wait here instead of being refused there:
 *
 *     const dispatcher = paced({ scopes: documentedScopes({ mediaPath: '/v1/media' }) }).over(new Agent());
 *     setGlobalDispatcher(dispatcher);          // or fetch(url, { dispatcher })
 *
 * It mirrors the service's rolling window of each key and scope: a place is taken when a request is sent and comes back
 * a window after its answer. A 429 is not handed to the caller but waited for, at least as long as it asks, and sent
 * again whatever its method, since a rejected request had no effect; with the body kept where it is a stream of at most
 * `replayBytesMax`. Requests go in the order in which they came; aborting one takes it out of the queue.
 * @throws {PacedSettingsError} where the options cannot be used.
 * @public
 */
export function paced(options: PacedOptions): Paced {
  const settings = settle(options);
  const settingsIn = settingsByScope(settings);
  const queues = createQueues(settings, processClock);
  const { nowMs, wallMs } = processClock;
  const moment = () => ({ nowMs: nowMs(), wallMs: wallMs() });

  const intercept =
    (ending: Ending): Dispatcher.DispatcherComposeInterceptor =>
    (dispatch) =>
    (request, handler) => {
      const ended = ending.reason();
      if (ended !== null) return refuse(handler, ended);
      const head = headOf(request);
      const scope = isPaced(request, head, settings) ? scopeOf(settings.scopes, head) : null;
      if (scope === null) return dispatch(request, handler);
      const key = settings.keyOf(head, (name) => requestHeader(request.headers, name.toLowerCase()));
      const queue = queues.of(scope, key);
      const cost = costIn(settings.scopes[scope] ?? { limit: 1 }, head);
      const asked = { dispatch, options: request, handler, queue, cost, ending };
      startPaced({
        ...asked,
        settings: settingsIn(scope),
        scope,
        clock: processClock,
        moment,
        random: Math.random,
      });
      return queue.waiting < settings.queueMax;
    };
  const over = (dispatcher: Dispatcher): Dispatcher => {
    if (typeof dispatcher?.compose !== 'function')
      throw new PacedSettingsError('over takes a dispatcher of undici: paced(…).over(new Agent()).');
    const ending = createEnding();
    return endingWith(dispatcher, intercept(ending), ending);
  };
  return Object.assign(intercept(createEnding()), { waiting: queues.waiting, room: queues.room, over });
}

/**
 * The three scopes of section "Limits": media uploads, `/v1/messages` and below, and everything else. The document does
 * not show where media is uploaded.
 * @throws {PacedSettingsError} where no such path is given.
 * @public
 */
export function documentedScopes(paths: { readonly mediaPath: string }): Scopes {
  const given: unknown = isRecord(paths) ? paths.mediaPath : undefined;
  if (typeof given !== 'string' || !given.startsWith('/')) {
    throw new PacedSettingsError(
      'documentedScopes takes the path where media is uploaded, e.g. { mediaPath: "/v1/media" }.',
    );
  }
  return {
    media: { limit: 30, match: given },
    messages: { limit: 300, match: '/v1/messages' },
    standard: { limit: 120 },
  };
}

function headOf({ method, origin, path }: Dispatcher.DispatchOptions): PacedRequestHead {
  return { method, origin: String(origin ?? ''), path };
}

/** What becomes of a connection of its own (CONNECT, an upgrade) is no request that could be sent again. */
function isPaced(
  { method, upgrade }: Dispatcher.DispatchOptions,
  head: PacedRequestHead,
  settings: PacedSettings,
) {
  if (method === 'CONNECT' || (upgrade !== undefined && upgrade !== null && upgrade !== false)) return false;
  if (settings.origins === null) return true;
  return URL.canParse(head.origin) && settings.origins.has(new URL(head.origin).origin);
}
