import { TokenBucket } from 'limiter';
import { guardedEach } from '../guarded.mjs';

export function build({ limit, windowMs }) {
  return guardedEach(() => {
    const bucket = new TokenBucket({ bucketSize: limit, tokensPerInterval: limit, interval: windowMs });
    // It begins empty.
    bucket.content = limit;
    return () => bucket.tryRemoveTokens(1);
  });
}
