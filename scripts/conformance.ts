#!/usr/bin/env node
import process from 'node:process';
import { main } from './main.ts';

await main(process.argv);
