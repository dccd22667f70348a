import type { Delivery } from '../../contract/webhooks/trace.ts';
import type { Random } from '../../run/seeded.ts';

type Stray = readonly [method: string, path: string, type: string | null, body: string];

/** What reaches an address that anybody can reach: none of it is a webhook. */
const strays: readonly Stray[] = [
  ['GET', '/favicon.ico', null, ''],
  ['HEAD', '/hooks', null, ''],
  ['OPTIONS', '/hooks', null, ''],
  ['GET', '/hooks?hub.mode=subscribe&hub.challenge=1158201444', null, ''],
  ['POST', '/wp-login.php', 'application/x-www-form-urlencoded', 'log=admin&pwd=admin'],
  ['POST', '/hooks', 'application/json', '{"method":"status","id":1}'],
  ['POST', '/hooks', 'text/plain', 'hello?'],
];

/** The same deliveries with requests of others among them, at moments drawn by chance. */
export function amongStrays(deliveries: readonly Delivery[], random: Random): readonly Delivery[] {
  const mixed: Delivery[] = [...deliveries];
  for (const [method, path, type, text] of strays) {
    const at = Math.floor(random() * (mixed.length + 1));
    const { arrivedMs = 0 } = mixed[Math.min(at, mixed.length - 1)] ?? {};
    mixed.splice(at, 0, {
      kind: 'delivery',
      index: 0,
      connection: 1_000_000 + mixed.length,
      method,
      path,
      headers: [
        ['host', '127.0.0.1'],
        ...(type === null ? [] : [['content-type', type] as [string, string]]),
      ],
      body: { text },
      bodyBytes: text.length,
      arrivedMs,
      completeMs: arrivedMs,
      answer: 'ok',
      status: 204,
      answeredMs: arrivedMs + 1,
    });
  }
  return mixed.map((one, index) => ({ ...one, index }));
}
