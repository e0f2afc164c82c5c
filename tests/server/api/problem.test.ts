import { expect, it, vi } from 'vitest';
import { problemResponse } from '../../../server/api/transport/problem.ts';
import { createLogger } from '../../../server/base/log.ts';

const failure = new Error('write EPIPE');

it('a failure after the client has left is a 499, and not logged as ours', () => {
  const log = createLogger('silent', 'test');
  const error = vi.spyOn(log, 'error');
  expect(problemResponse(failure, { log }, { signal: AbortSignal.abort() }).status).toBe(499);
  expect(error).not.toHaveBeenCalled();
});

it('the same failure while the client waits is a 500, logged, and not shown', async () => {
  const log = createLogger('silent', 'test');
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  const response = problemResponse(failure, { log }, { signal: new AbortController().signal });
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('EPIPE');
  expect(error).toHaveBeenCalledWith({ err: failure, traceId: expect.any(String) }, 'request failed');
});
