import { onTestFinished } from 'vitest';
import { type EncryptedFront, type FrontWish, startEncryptedFront } from './encrypted-front.ts';
import { type ForwardProxy, type ForwardProxyWish, startForwardProxy } from './forward-proxy.ts';

/** Ends TLS for as long as one test runs. */
export async function frontForTest(wish: FrontWish): Promise<EncryptedFront> {
  const front = await startEncryptedFront(wish);
  onTestFinished(front.close);
  return front;
}

/** A proxy for as long as one test runs. */
export async function proxyForTest(wish: ForwardProxyWish): Promise<ForwardProxy> {
  const proxy = await startForwardProxy(wish);
  onTestFinished(proxy.close);
  return proxy;
}
