#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import process from 'node:process';

// A short command spends half of its time on compiling its own sources. The cache is in the folder for temporary files;
// if that folder cannot be written, the command works without a cache.
enableCompileCache();
const { main } = await import('./main.ts');

await main(process.argv);
