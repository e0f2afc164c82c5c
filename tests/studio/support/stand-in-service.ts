import type { Page } from 'playwright';
import { OPERATIONS, type OperationId } from '../../../models/registry.ts';
import { interceptSignIn } from './sign-in.ts';

/**
 * Puts a stand-in for our server between a page and the network, at which the visitor is signed in: each run on the
 * server succeeds without files, and tells what is given.
 * @param details of each result
 */
export async function interceptService(page: Page, id: OperationId, details: object): Promise<void> {
  const context = page.context();
  await interceptSignIn(page, '1.00');
  const job = {
    request_id: `${id}_1`,
    status: 'COMPLETED',
    output: { media_url: [], media_type: 'application/json', result: details },
    billing: { charged_usd: '0.001' },
    warnings: [],
    engine: 'stand-in',
  };
  const responses: readonly [string, object][] = [
    ['/api/uploads', { upload_url: 'http://127.0.0.1/api/uploads/1' }],
    [`/api${OPERATIONS[id].path}`, { request_id: job.request_id }],
    [`/api/v2/requests/status/${job.request_id}`, job],
  ];
  for (const [path, json] of responses) {
    await context.route(
      ({ pathname }) => pathname === path,
      (route) => route.fulfill({ json }),
    );
  }
}
