/** Why a service could not be started. */
export type ServiceErrorCode = 'port-in-use' | 'port-forbidden' | 'host-unusable' | 'store' | 'settings';

/** The user's settings do not work. The message is a sentence that says what is wrong, where, and what to do. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
