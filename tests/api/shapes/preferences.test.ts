import { expect, it } from 'vitest';
import { readPreferences } from '../../../server/api/transport/read-request.ts';

it.each([
  ['respond-async', [['respond-async', '']]],
  [
    'Wait=10, Respond-Async',
    [
      ['wait', '10'],
      ['respond-async', ''],
    ],
  ],
  ['wait="10"; foo=bar', [['wait', '10']]],
  ['wait = 5, wait=6', [['wait', '5']]],
])('reads Prefer: %s', (prefer, preferences) => {
  expect([...readPreferences({ headers: new Headers({ prefer }) })]).toEqual(preferences);
});

it('reads none without the header', () => {
  expect(readPreferences({ headers: new Headers() }).size).toBe(0);
});
