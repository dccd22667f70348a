import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

/** By the end of its path: a file of somebody else's that is not needed whole, and what stands for it in the package. */
const replaced: Readonly<Record<string, string>> = {
  // 190 kB of sentences in languages that nothing here writes.
  'zod/v4/locales/index.js': `export { default as en } from './en.js';`,
  // One Redis is asked for one script, besides what the client asks by itself: of the rest it keeps 250 kB of tables.
  '@redis/client/dist/index.js': `
    exports.createClient = require('./lib/client').default.create;
    exports.defineScript = require('./lib/lua-script').defineScript;`,
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

/** Modules that work only in a checkout, and what stands for them in the package. */
const stoodInFor: ReadonlyMap<string, string> = new Map([
  ['load/runner/bundle.ts', 'load/runner/prebuilt.ts'],
  ['reports/page/bundle-page.ts', 'reports/page/prebuilt-page.ts'],
]);

/** Below it lie the files that sources read beside themselves, each where its folder is in a checkout. */
export const assets = 'assets';

/** Makes of the sources what the package runs: one folder, without what it never uses. */
export const slim: Plugin = {
  name: 'slim',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/ }, ({ path }) => {
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
