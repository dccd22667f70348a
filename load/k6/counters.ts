import { Counter } from 'k6/metrics';

/**
 * Answers to requests with the key that are neither 2xx nor 429. Those two are in k6's own count of requests, by their
 * status: a counter for each would cost as much again as writing the exchange.
 */
export const unexpected: Counter = new Counter('unexpected');

/** Exceptions in an iteration, which k6 swallows. */
export const scriptErrors: Counter = new Counter('script_errors');
