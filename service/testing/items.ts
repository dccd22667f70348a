import { documentSchema, limitsOf } from '../../contract/document/document.ts';
import { offlineService } from '../offline.ts';

/** Of a document with one scope, `/items`: what it says besides, and what it promises of that. */
export type Items = {
  readonly said?: Readonly<Record<string, unknown>>;
  readonly promised?: Readonly<Record<string, unknown>>;
};

/** The service that plays such a document: what it answers one key's requests at so many moments, ms. */
export function answersAt(moments: readonly number[], { said = {}, promised = {} }: Items) {
  const items = { title: 'items', limit: 6, request: { path: '/items' }, ...promised };
  const document = documentSchema.parse({
    ...{ version: 1, title: 'items', windowSeconds: 60, scopes: { items } },
    ...said,
  });
  const windowMs = document.windowSeconds * 1_000;
  const service = offlineService({ document, limits: limitsOf(document), windowMs, faults: [] });
  const request = {
    method: 'GET',
    path: '/items',
    key: 'A',
    credential: 'valid',
    connection: 0,
    node: 0,
  } as const;
  return moments.map((ms) => service(request, ms));
}
