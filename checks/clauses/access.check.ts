import { describe } from 'vitest';
import { testClauses } from './judged.ts';

describe('access', () => testClauses('auth.', 'version.'));
