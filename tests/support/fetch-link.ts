import { handleApi } from '../../server/http/api.ts';
import type { TestApi } from './api.ts';

/** POST /api/fetch as a page of ours sends it. */
export function fetchLink(
  { ctx }: TestApi,
  url: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const request = new Request(`${ctx.env.PUBLIC_URL}/api/fetch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    body: JSON.stringify({ url }),
  });
  return handleApi(ctx, request);
}
