import { describe } from 'vitest';
import { testClauses } from './judged.ts';

describe('errors', () => testClauses('error.'));
