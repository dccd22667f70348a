import packageJson from '../package.json' with { type: 'json' };

/** What reports and requests call this program. */
export const tool = { name: packageJson.name, version: packageJson.version } as const;
