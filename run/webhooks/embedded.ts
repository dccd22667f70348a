/** The file beside a run's trace that holds what its webhooks were. */
export const webhookTraceFileName = 'webhooks.ndjson';

/**
 * What the embedded service signs with. No secret at all: the service lives as long as the run and listens on this
 * machine alone, and whoever judges the saved trace again needs it.
 */
export const embeddedWebhookSecret = 'the embedded service signs with this';
