const own = /^(host|connection|content-length|transfer-encoding|te|upgrade|expect|user-agent|x-request-id)$/i;

/** Whether a header belongs to the connection, or is one that every request of ours has. */
export function isOwnHeader(name: string): boolean {
  return own.test(name);
}

/** Whether two names are of one header, in letters of either case (RFC 9110 §5.1). */
export function isSameHeader(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
