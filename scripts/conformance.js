#!/usr/bin/env node
// In JavaScript, with what it imports: to load one TypeScript file that is in no cache takes Node longer than all of --help.
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { ownCompileCache } from './compile-cache.js';

// A short command spends half of its time on compiling its own sources.
const cache = ownCompileCache();
if (cache !== null) enableCompileCache(cache);
const { main } = await import('./main.ts');

await main(process.argv);
