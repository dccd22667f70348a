/** What a client sends, as far as libraries retry one and not the other: GET, HEAD, PUT and DELETE are idempotent. */
export type Request = { readonly isIdempotent: boolean };
