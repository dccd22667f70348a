/** What the gallery uses of Koa, which brings no types of its own. */
declare module 'koa' {
  import type { RequestListener } from 'node:http';

  type Context = { get(header: string): string; body: unknown };

  class Koa {
    use(middleware: (context: Context, next: () => Promise<void>) => unknown): this;
    callback(): RequestListener;
  }
  export = Koa;
}

declare module 'koa-ratelimit' {
  type Context = { get(header: string): string };

  type Options = {
    readonly driver: 'memory';
    readonly db: Map<string, unknown>;
    readonly max: number;
    /** ms */
    readonly duration: number;
    readonly id: (context: Context) => string;
  };

  function ratelimit(options: Options): (context: Context, next: () => Promise<void>) => Promise<void>;
  export = ratelimit;
}
