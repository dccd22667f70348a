import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary-folder.ts';

// Vitest loads this anew for each file of tests, but what it imports only once for all files that share a process.
afterAll(removeTemporaryFolders);
