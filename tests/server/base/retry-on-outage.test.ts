import { expect, test, vi } from 'vitest';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { OutageError } from '../../../server/base/outage.ts';
import { retryOnOutage } from '../../../server/base/retry-on-outage.ts';

const lostConnection = Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' });
const refusedConnection = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });

test.each([
  ['a lost connection', lostConnection],
  ['a refused connection', refusedConnection],
  ['an outage of the store', new OutageError('store')],
])('a step is repeated after %s', async (_, outage) => {
  const step = vi.fn<() => Promise<string>>().mockRejectedValueOnce(outage).mockResolvedValue('done');
  expect(await retryOnOutage(step)).toBe('done');
  expect(step).toHaveBeenCalledTimes(2);
});

test.each([
  ['a fault of ours', new TypeError('x is undefined')],
  ['a refusal', new OperationError('conflict', 'It has ended.')],
])('a step is not repeated after %s', async (_, fault) => {
  const step = vi.fn<() => Promise<string>>().mockRejectedValue(fault);
  await expect(retryOnOutage(step)).rejects.toBe(fault);
  expect(step).toHaveBeenCalledTimes(1);
});
