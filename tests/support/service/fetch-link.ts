import { handleApi } from '../../../server/api/api.ts';
import { trackBody } from '../setup/unread-bodies.ts';
import type { TestApi } from './api.ts';

/** Cookie and token of a page, by the API that gave them. */
const passes = new WeakMap<TestApi, Promise<Record<string, string>>>();

/** Sends POST /api/fetch as one of our pages does. */
export async function fetchLink(
  api: TestApi,
  url: string,
  headers?: Record<string, string>,
): Promise<Response> {
  return trackBody(await handleApi(api.ctx, await fetchLinkRequest(api, url, headers)));
}

/** Returns the request of one of our pages, with its own token. */
export async function fetchLinkRequest(
  api: TestApi,
  url: string,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Request> {
  const pass = passes.get(api) ?? fetchPageToken(api);
  passes.set(api, pass);
  return new Request(`${api.ctx.env.PUBLIC_URL}/api/fetch`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      ...(await pass),
      ...headers,
    },
    body: JSON.stringify({ url }),
    signal,
  });
}

/** Gets a cookie and a token as a page does. */
export async function fetchPageToken(
  { ctx }: TestApi,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<Record<string, string>> {
  const request = new Request(`${ctx.env.PUBLIC_URL}/api/fetch/token`, { method: 'POST', headers });
  const response = await handleApi(ctx, request);
  const { token } = (await response.json()) as { token: string };
  const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  return { cookie, 'x-fetch-token': token };
}
