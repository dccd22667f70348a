import { ServiceError } from '../service-error.ts';

/** The address of a Redis. */
export type RedisUrl = {
  /** May hold a password: never printed. */
  readonly url: string;
  /** Where it is, without user and password. */
  readonly shown: string;
};

const forms = 'redis://host:6379, rediss://host:6379/0 or unix:///path/to/socket';

/** @throws {ServiceError} where the text is not such an address. The message repeats no part that could be a password. */
export function parseRedisUrl(text: string): RedisUrl {
  // `URL` cannot parse this form: it wants a host after a user or a password.
  const socket = /^unix:\/\/(?:[^@/]*@)?(\/[^?#]+)(?:\?db=\d+)?$/.exec(text)?.[1];
  if (socket !== undefined) return { url: text, shown: `Redis at unix://${socket}` };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') {
    throw new ServiceError('settings', `A Redis is named by an address such as ${forms}.`);
  }
  if (!/^(\/\d*)?$/.test(url.pathname)) {
    const example = `${url.protocol}//${url.host}/0`;
    throw new ServiceError(
      'settings',
      `The path of a Redis address is the number of a database, as in ${example}.`,
    );
  }
  if (!canDecode(url.password)) {
    throw new ServiceError(
      'settings',
      'The password in the Redis address cannot be read: write a % in it as %25.',
    );
  }
  return { url: text, shown: `Redis at ${url.protocol}//${url.host}${url.pathname}` };
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
