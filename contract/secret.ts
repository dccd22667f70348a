/** Whether a text can be an API key: only such a one comes through an HTTP header as it is (RFC 9110 §5.5). */
export function isApiKey(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text);
}
