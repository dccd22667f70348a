#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { ownCompileCache } from './compile-cache.ts';

// A short command spends half of its time on compiling its own sources.
const cache = ownCompileCache();
if (cache !== null) enableCompileCache(cache);
const { main } = await import('./main.ts');

await main(process.argv);
