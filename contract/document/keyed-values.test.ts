import { expect, test } from 'vitest';
import { valueOfKey } from './keyed-values.ts';

test.each([
  ['total=100; remaining=99; resets=46', 'remaining', '99'],
  // As App Store Connect has it (developer.apple.com, Identifying Rate Limits).
  ['user-hour-lim:3500;user-hour-rem:500;', 'user-hour-rem', '500'],
  // As Salesforce has it (Sforce-Limit-Info).
  ['api-usage=25/5000; per-app-api-usage=17/250(appName=sample)', 'api-usage', '25/5000'],
  [
    'api-usage=25/5000; per-app-api-usage=17/250(appName=sample)',
    'per-app-api-usage',
    '17/250(appName=sample)',
  ],
  ['limit=100, remaining = "50" , reset=30', 'remaining', '50'],
  ['until=2026-01-01T00:00:00Z; left=1,2', 'until', '2026-01-01T00:00:00Z'],
  ['until=2026-01-01T00:00:00Z; left=1,2', 'left', '1,2'],
  ['left=""', 'left', ''],
  ['left=1; left=2', 'left', '1'],
  ['Left=1', 'left', null],
  ['leftover=1; left', 'left', null],
  ['', 'left', null],
  ['per app=1', 'app', null],
  ['left=1"2"', 'left', '1"2"'],
  ['left="1"2', 'left', '"1"2'],
  [' {"limit":1000,"remaining":0,"until":"2026-01-01T00:00:00Z"}', 'remaining', '0'],
  ['{"limit":1000,"remaining":0,"until":"2026-01-01T00:00:00Z"}', 'until', '2026-01-01T00:00:00Z'],
  ['{"limit":[1]}', 'limit', null],
  ['{"limit":1}', 'toString', null],
  ['{"limit":1', 'limit', null],
])('%s says of %s: %s', (raw, key, value) => expect(valueOfKey(raw, key)).toBe(value));
