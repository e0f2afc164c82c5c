import { openSandbox } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import type { ApiResponse, TestApi } from './api.ts';

/** Account's sandbox with a test key, and requests that carry it. */
export interface TestSandbox {
  readonly apiKey: string;
  readonly accountId: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
  /** Returns the job once it has ended. */
  ended(id: string): Promise<ApiResponse['body']>;
}

/** Opens the sandbox of the test's account. */
export async function startSandbox(api: TestApi): Promise<TestSandbox> {
  const accountId = await openSandbox(api.ctx.db, api.accountId);
  const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'sandbox' });
  const own = { authorization: `Bearer ${apiKey}`, 'ocp-apim-subscription-key': apiKey };
  const get = (path: string) => api.call('GET', `/api${path}`, { headers: own });
  return {
    apiKey,
    accountId,
    get,
    post: (path, body, headers) => api.call('POST', `/api${path}`, { body, headers: { ...own, ...headers } }),
    async ended(id) {
      for (const endMs = Date.now() + 120_000; Date.now() < endMs; ) {
        const { body } = await get(`/v2/requests/status/${id}`);
        if (body.completed_at) return body;
        await new Promise((next) => setTimeout(next, 100));
      }
      throw new Error(`${id} has not ended`);
    },
  };
}
