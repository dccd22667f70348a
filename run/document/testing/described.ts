import { type OpenApi, openApiOf } from '../openapi.ts';

/** A description of an API that refers to no other file. */
export function described(whole: object): OpenApi {
  return openApiOf({ whole, others: 0, unread: [] }, 'api.json');
}
