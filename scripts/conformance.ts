#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import process from 'node:process';

// Half of a short command's time goes into reading its own sources. The cache lies in the folder for temporary files;
// where that cannot be written everything works as without it.
enableCompileCache();
const { main } = await import('./main.ts');

await main(process.argv);
