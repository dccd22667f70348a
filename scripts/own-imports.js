import { registerHooks } from 'node:module';

const root = new URL('..', import.meta.url).href;

/** Where zod names all the languages that it speaks: sixty files. */
const languages = '../locales/index.js';
const ours = '../locales/en.js';

/**
 * Says at once where an import of one of our sources leads, since it is written in full: Node would look for each of them in the
 * file system, again and again, which is a tenth of what a short command takes. And of the languages of zod, one is loaded.
 */
export function shortenImports() {
  registerHooks({ resolve });
}

/** @type {import('node:module').ResolveHookSync} */
function resolve(specifier, context, next) {
  const { parentURL = '' } = context;
  if (isOfOurs(specifier, parentURL))
    return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
  if (specifier === languages && parentURL.includes('/node_modules/zod/')) return next(ours, context);
  return next(specifier, context);
}

/**
 * @param {string} specifier
 * @param {string} parentURL
 */
function isOfOurs(specifier, parentURL) {
  const isInFull = specifier.startsWith('.') && specifier.endsWith('.ts');
  return isInFull && parentURL.startsWith(root) && parentURL.endsWith('.ts');
}
