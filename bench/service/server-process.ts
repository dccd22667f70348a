import process from 'node:process';
import { type Rule, type ServerName, servers } from './servers.ts';

/** A server in a process of its own: `server-process.ts NAME RULE SECRETS`, the last two as JSON. */
const [, , name, rule, secrets] = process.argv;
const serve = servers[name as ServerName];
const url = await serve(JSON.parse(rule ?? '') as Rule, JSON.parse(secrets ?? '') as readonly string[]);
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
process.send?.({ url });
