/** Why a service could not be started. */
export type ServiceErrorCode = 'port-in-use' | 'port-forbidden' | 'host-unusable' | 'store' | 'settings';

/** The user's settings do not work: the message is a sentence that says what, where and what to do. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The same for what `listen` threw; `null` for what no setting explains. */
export function listenError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): ServiceError | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new ServiceError(
        'port-in-use',
        `Port ${port} on ${host} is in use: choose another, or 0 for any free one.`,
      );
    case 'EACCES':
      return new ServiceError(
        'port-forbidden',
        `Port ${port} on ${host} needs more rights: choose one from 1024 on, or 0.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ServiceError(
        'host-unusable',
        `"${host}" is no address of this machine: choose e.g. 127.0.0.1.`,
      );
    default:
      return null;
  }
}
