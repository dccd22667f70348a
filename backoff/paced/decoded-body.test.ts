import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decodedBody } from './decoded-body.ts';

const text = '{"error":{"retry_after_seconds":3}}';
const plain = Buffer.from(text);
const bytesMax = 1_000;

it.each([
  ['none', null, plain],
  ['none, with a word for it', 'identity', plain],
  ['gzip', 'gzip', gzipSync(plain)],
  ['gzip by its other name', ' X-GZIP', gzipSync(plain)],
  ['deflate, as it should be', 'deflate', deflateSync(plain)],
  ['deflate, as some servers send it', 'deflate', deflateRawSync(plain)],
  ['brotli', 'br', brotliCompressSync(plain)],
  ['zstd', 'zstd', zstdCompressSync(plain)],
  ['two, one after the other', 'deflate, gzip', gzipSync(deflateSync(plain))],
])('reads a body with the coding %s', (_name, coding, bytes) => {
  expect(decodedBody(bytes, coding, bytesMax)).toBe(text);
});

it.each([
  ['with a coding that nobody knows', 'rot13', plain],
  ['that is not coded as it says', 'gzip', plain],
  ['that ends early', 'gzip', gzipSync(plain).subarray(0, 20)],
  ['that is longer than it may be', 'gzip', gzipSync(Buffer.alloc(bytesMax + 1, 32))],
  ['with more codings than anybody uses', 'identity,identity,identity,identity,identity,identity', plain],
])('reads nothing of a body %s', (_name, coding, bytes) => {
  expect(decodedBody(bytes, coding, bytesMax)).toBeNull();
});
