import { z } from 'zod';
import { messagesListedDefault, messagesListedMax } from './choices.ts';
import { fieldErrors, notFound } from './errors.ts';
import { type MessageStore, messageInputSchema } from './message-store.ts';
import { addRoute, type RoutePlace } from './route.ts';

const listingSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(messagesListedMax).default(messagesListedDefault),
});

const idSchema = z.object({ id: z.string() });

/** `/v1/messages` and the paths below it. */
export function addMessages(place: RoutePlace, store: MessageStore): void {
  const { desk } = place;
  addRoute(place, '/v1/messages', {
    GET: (exchange) => {
      const listing = listingSchema.safeParse(exchange.request.query);
      if (!listing.success) return desk.fail(exchange, fieldErrors(listing.error, 'query'));
      return desk.succeed(exchange, { status: 200, data: store.newest(listing.data.limit) });
    },
    POST: (exchange) => {
      const input = messageInputSchema.safeParse(exchange.request.body);
      if (!input.success) return desk.fail(exchange, fieldErrors(input.error, 'body'));
      return desk.succeed(exchange, { status: 201, data: store.add(input.data) });
    },
  });
  addRoute(place, '/v1/messages/:id', {
    GET: (exchange) => {
      const { id } = idSchema.parse(exchange.request.params);
      const message = store.find(id);
      if (message === undefined)
        return desk.fail(exchange, { ...notFound, message: 'There is no such message.' });
      return desk.succeed(exchange, { status: 200, data: message });
    },
  });
}
