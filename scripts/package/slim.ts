import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

/** By the end of its path: a file of somebody else's that is not needed whole, and what stands for it in the package. */
const replaced: Readonly<Record<string, string>> = {
  // 190 kB of sentences in languages that nothing here writes.
  'zod/v4/locales/index.js': `export { default as en } from './en.js';`,
  // Nothing here is compiled, or made of a JSON Schema.
  'zod/v4/core/compile.js': `
    export const INVALID = Symbol.for('zod.compile.invalid');
    export class ZodCompileAsyncError extends Error {}
    export class ZodCompileUnsupportedError extends Error {}
    export const compile = (schema) => schema;
    export const withParser = (schema) => schema;`,
  'zod/v4/classic/from-json-schema.js': `export function fromJSONSchema() { throw new Error('not in the package'); }`,
  // One Redis is asked for one script, besides what the client asks by itself: of the rest it keeps 250 kB of tables.
  '@redis/client/dist/index.js': `
    exports.createClient = require('./lib/client').default.create;
    exports.defineScript = require('./lib/lua-script').defineScript;`,
  '@redis/client/dist/lib/client/cache.js': '',
  '@redis/client/dist/lib/client/pool.js': '',
  '@redis/client/dist/lib/commands/index.js': 'exports.default = {}; exports.NON_STICKY_COMMANDS = {};',
  '@redis/client/dist/lib/command-metadata/command-metadata-data.js': 'exports.COMMAND_METADATA = {};',
  // The reference service has no schema, keeps no log, and is asked by sockets alone.
  '@fastify/ajv-compiler/index.js': compilerOfNothing('AjvCompiler'),
  '@fastify/fast-json-stringify-compiler/index.js': compilerOfNothing('SerializerSelector'),
  'fastify/lib/logger-pino.js': 'module.exports = {};',
  'light-my-request/index.js': 'module.exports = {};',
  // Schemas of bodies are asked by one function, and what they say of formats by none.
  '@cfworker/json-schema/dist/commonjs/index.js': `exports.validate = require('./validate.js').validate;`,
  '@cfworker/json-schema/dist/commonjs/format.js': 'exports.format = {};',
  // Its plugins are those that it was bundled with, its patterns are written here, and it stands behind no proxy.
  'semver/index.js': `
    exports.satisfies = () => true;
    exports.coerce = (version) => version;
    exports.gt = () => false;`,
  'safe-regex2/index.js': 'module.exports = () => true;',
  '@fastify/proxy-addr/index.js': `module.exports = () => { throw new Error('no proxy is trusted here'); };`,
  // The parser that wants SIMD is one more of 72 kB, and the plain one runs everywhere.
  'undici/lib/llhttp/llhttp_simd-wasm.js': `module.exports = require('./llhttp-wasm.js');`,
  // All of undici is a fetch, a cache, mocks and web sockets, which Node has or nobody here uses.
  'undici/index.js': `
    Object.assign(require('./lib/dispatcher/dispatcher').prototype, { request: require('./lib/api/api-request') });
    module.exports.Pool = require('./lib/dispatcher/pool');
    module.exports.buildConnector = require('./lib/core/connect');
    module.exports.FormData = require('./lib/web/fetch/formdata').FormData;`,
};

function compilerOfNothing(name: string): string {
  const factory = `() => () => { throw new Error('no schema is compiled here'); }`;
  return `module.exports = ${factory}; module.exports.default = module.exports; module.exports.${name} = module.exports;`;
}

/**
 * Options that Fastify has not been given get their defaults where it checks all of them, by code that was made of a schema: here
 * they are given by this project alone, and need no check.
 */
const uncheckedOptions = {
  ending: 'node_modules/fastify/lib/config-validator.js',
  contents: (text: string): string => {
    const defaults = /^module\.exports\.defaultInitOptions = (\{.*\});?$/m.exec(text)?.[1];
    if (defaults === undefined) throw new Error('the options of Fastify have other defaults now');
    return `
      const defaults = ${defaults};
      const fill = (options, from) => {
        for (const [name, value] of Object.entries(from)) {
          if (options[name] === undefined) options[name] = structuredClone(value);
          else if (typeof value === 'object') fill(options[name], value);
        }
      };
      module.exports = (options) => {
        fill(options, defaults);
        return true;
      };
      module.exports.defaultInitOptions = defaults;`;
  },
};

/** Modules that work only in a checkout, and what stands for them in the package. */
const stoodInFor: ReadonlyMap<string, string> = new Map([
  ['load/runner/bundle.ts', 'load/runner/prebuilt.ts'],
  ['reports/page/bundle-page.ts', 'reports/page/prebuilt-page.ts'],
]);

/** Whoever imports `node:process` has Node work out all that the process has, which takes longer than anything that is asked of it. */
const globalProcess = 'export default globalThis.process;';

/** Below it lie the files that sources read beside themselves, each where its folder is in a checkout. */
export const assets = 'assets';

/** Makes of the sources what the package runs: one folder, without what it never uses. */
export const slim: Plugin = {
  name: 'slim',
  setup(build) {
    build.onResolve({ filter: /^node:process$/ }, () => ({ path: 'process', namespace: 'global' }));
    build.onLoad({ filter: /^process$/, namespace: 'global' }, () => ({
      contents: globalProcess,
      loader: 'js',
    }));
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/ }, async ({ path }) => {
      if (path.endsWith(uncheckedOptions.ending))
        return { contents: uncheckedOptions.contents(await readFile(path, 'utf8')), loader: 'js' };
      const found = Object.entries(replaced).find(([ending]) => path.endsWith(`node_modules/${ending}`));
      return found === undefined ? null : { contents: found[1], loader: 'js' };
    });
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      if (path !== join(root, 'package.json')) return null;
      const { name, version } = JSON.parse(await readFile(path, 'utf8')) as { name: string; version: string };
      return { contents: JSON.stringify({ name, version }), loader: 'json' };
    });
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const own = relative(root, path).split(sep).join('/');
      const contents = await readFile(join(root, stoodInFor.get(own) ?? own), 'utf8');
      return { contents: inPackage(contents, own.split('/').slice(0, -1).join('/')), loader: 'ts' };
    });
  },
};

/**
 * A source of ours, where all of them are in one folder, packages that are needed late are in the program itself, and there
 * is no package.json with scripts of npm.
 */
function inPackage(text: string, folder: string): string {
  return text
    .replaceAll('`npm start -- ', '`npx conformance run ')
    .replaceAll('npm run conformance -- ', 'npx conformance ')
    .replaceAll(`createRequire(import.meta.url)('`, `require('`)
    .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${assets}/${folder}')`)
    .replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, `new URL('./$1.js', import.meta.url)`);
}
