const own = /^(host|connection|content-length|transfer-encoding|te|upgrade|expect|user-agent|x-request-id)$/i;

/** Whether a header belongs to the connection, or is one that every request of ours has. */
export function isOwnHeader(name: string): boolean {
  return own.test(name);
}
