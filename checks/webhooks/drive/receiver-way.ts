import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { portOf, type Transport } from '../../../contract/transport.ts';
import { type Route, routesTo } from '../../route.ts';

type Connector = Route['connect'];
type Socket = NonNullable<Parameters<Parameters<Connector>[1]>[1]>;

/** How requests get to an address of a receiver: its own, or that of its effects. */
export type ReceiverWay = Route & {
  readonly target: URL;
  /** A bare connection, encrypted where the address says so; rejects where there is none. */
  readonly open: () => Promise<Socket>;
  /** For requests by node:http: a connection for each, or one that is kept for the next. */
  readonly agent: (connections: 'one-each' | 'one-kept') => Agent;
};

/** A connection may take this much longer than an answer, ms: whoever waits for the answer gives up first. */
const spareMs = 1_000;

export type WayOptions = {
  readonly transport: Transport;
  /** How long an answer may take. */
  readonly budgetMs: number;
};

/** The way to one address. */
export function wayTo(target: URL, options: WayOptions): ReceiverWay {
  return waysTo([target], options)[0] as ReceiverWay;
}

/** The ways to several addresses, in the order of the transport's proxies. */
export function waysTo(targets: readonly URL[], { transport, budgetMs }: WayOptions): readonly ReceiverWay[] {
  const timeoutMs = budgetMs + spareMs;
  const routes = routesTo(
    targets.map(({ href }) => href),
    { transport, timeoutMs },
  );
  return routes.map((route, at) => wayOf(targets[at] as URL, route));
}

function wayOf(target: URL, route: Route): ReceiverWay {
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      route.connect(placeOf(target), (error, socket) => {
        if (socket === null) reject(error ?? new Error('no connection'));
        else resolve(socket);
      });
    });
  return {
    ...route,
    target,
    open,
    agent: (connections) => {
      const settings = connections === 'one-kept' ? { keepAlive: true, maxSockets: 1 } : {};
      const agent = target.protocol === 'https:' ? new SecureAgent(settings) : new Agent(settings);
      agent.createConnection = (_options, callback) => {
        open().then(
          (socket) => callback?.(null, socket),
          // Node takes a stream beside the error for granted, by its types alone.
          (error: Error) => (callback as ((failure: Error) => void) | undefined)?.(error),
        );
        return null;
      };
      return agent;
    },
  };
}

function placeOf(target: URL): Parameters<Connector>[0] {
  const { hostname, host, protocol } = target;
  return { hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port: String(portOf(target)) };
}
