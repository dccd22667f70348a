import { describe } from 'vitest';
import { testClauses } from './judged.ts';

describe('headers', () => testClauses('headers.'));
