import { expect, test } from 'vitest';
import { connectionLimits } from '../../../server/http/connection-limits.ts';

test('connections fit the limit on open files, and one address gets at most half of them', () => {
  expect(connectionLimits({ CONNECTIONS_PER_ADDRESS: 512 }, 300)).toEqual({ total: 100, perAddress: 50 });
  expect(connectionLimits({ CONNECTIONS_PER_ADDRESS: 512 }, 1_048_576)).toEqual({
    total: 10_000,
    perAddress: 512,
  });
  expect(connectionLimits({ CONNECTIONS_PER_ADDRESS: 512 }, 64)).toEqual({ total: 2, perAddress: 1 });
});
