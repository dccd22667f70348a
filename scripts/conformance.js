#!/usr/bin/env node
// Plain old JavaScript without an import that is resolved before it runs: whatever Node it is, what keeps the program from
// starting has to end in a sentence and in 4, since a status of 1 says that the service broke its promise. What it imports
// at once is JavaScript too: to load one TypeScript file that is in no cache takes Node longer than all of --help.

/** The first version that loads TypeScript, as settings files may be, without a flag. */
const least = { major: 22, minor: 18 };

const exitOwnError = 4;

start().catch((/** @type {unknown} */ error) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`conformance: it cannot start with Node ${process.version}: ${message}\n`);
  process.exitCode = exitOwnError;
});

async function start() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < least.major || (major === least.major && minor < least.minor))
    throw new Error(`it needs ${least.major}.${least.minor} or newer, and ${process.execPath} is older.`);
  const [{ enableCompileCache }, { ownCompileCache }, { shortenImports }] = await Promise.all([
    import('node:module'),
    import('./compile-cache.js'),
    import('./own-imports.js'),
  ]);
  if (process.argv[2] === 'judge') leaveOutSlowCompiler();
  // A short command spends half of its time on compiling its own sources.
  const cache = ownCompileCache();
  if (cache !== null) enableCompileCache(cache);
  shortenImports();
  const { main } = await import('./main.ts');
  await main(process.argv);
}

/**
 * The slower of V8's two compilers takes a fifth of all that judging takes, of 2,000 requests as of 10,000, and gains nothing there;
 * `judge` asks for it where a trace is longer. V8 takes back what it has compiled only under the same flags, so they are set before
 * the first of it is asked for, and what other commands have compiled stays as it is.
 */
function leaveOutSlowCompiler() {
  process.getBuiltinModule('node:v8').setFlagsFromString('--no-turbofan');
}
