import Koa from 'koa';
import koa2 from 'koa2-ratelimit';
import { answer } from '../guarded.mjs';

export function build({ limit, windowMs }) {
  const app = new Koa();
  const keyGenerator = async (context) => context.get('authorization');
  app.use(koa2.RateLimit.middleware({ interval: windowMs, max: limit, keyGenerator }));
  app.use((context) => {
    context.body = answer;
  });
  return app.callback();
}
