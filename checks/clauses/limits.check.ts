import { describe } from 'vitest';
import { testClauses } from './judged.ts';

describe('limits', () => testClauses('limits.', 'window.', 'load.'));
