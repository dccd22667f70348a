import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { ServedWebhooks, ServiceState } from './webhooks-service.ts';

/** A service with webhooks as a child process. */
export type WebhookChild = {
  readonly url: string;
  readonly controlUrl: string;
  /** Its memory and CPU time now. */
  state(): Promise<ServiceState>;
  /** As `kill -9`: nothing is closed. */
  kill(): Promise<void>;
};

export async function startChild(settings: ServedWebhooks): Promise<WebhookChild> {
  const child = fork(new URL('./webhooks-service.ts', import.meta.url), {
    env: { ...process.env, SERVED_WEBHOOKS: JSON.stringify(settings) },
  });
  const gone = once(child, 'exit').then(() => {
    throw new Error('the service ended');
  });
  // Told to whoever waits for the service; nobody may wait when it is killed.
  gone.catch(() => undefined);
  const told = async (): Promise<ServiceState> => {
    const [state] = (await Promise.race([once(child, 'message'), gone])) as [ServiceState];
    return state;
  };
  const { url, controlUrl } = await told();
  return {
    url,
    controlUrl,
    state: () => {
      child.send('state');
      return told();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
