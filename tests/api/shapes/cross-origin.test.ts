import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../clients/typescript/src/index.ts';
import { type LoopbackService, startLoopbackService } from '../../support/service/loopback-service.ts';

const ELSEWHERE = 'https://shop.example';
/** Headers that the TypeScript client reads besides those that every browser shows. */
const READ_BY_CLIENT = ['error-code', 'retry-after', 'upload-offset', 'x-request-id'];
/** Headers that the TypeScript client sends, and browsers ask for leave to send. */
const SENT_BY_CLIENT = ['authorization', 'content-type', 'idempotency-key', 'prefer', 'upload-offset'];

let service: LoopbackService;
beforeAll(async () => {
  service = await startLoopbackService('', { isSignedIn: false });
});
afterAll(() => service.stop());

const getList = (value: string | null) => (value ?? '').toLowerCase().split(', ');

function ask(path: string, method: string, headers: readonly string[] = SENT_BY_CLIENT): Promise<Response> {
  return fetch(service.url + path, {
    method: 'OPTIONS',
    headers: {
      origin: ELSEWHERE,
      'access-control-request-method': method,
      'access-control-request-headers': headers.join(','),
    },
  });
}

function expectOpen({ headers }: Response): void {
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(getList(headers.get('access-control-expose-headers'))).toEqual(
    expect.arrayContaining(READ_BY_CLIENT),
  );
}

describe('pages of another origin', () => {
  it.each([
    ['POST', '/api/v1/remove-bg'],
    ['POST', '/api/media-tools/v1/image-convert'],
    ['POST', '/api/uploads'],
    ['POST', '/api/v2/uploads'],
    ['PATCH', '/api/v2/uploads/token'],
    ['HEAD', '/api/v2/uploads/token'],
    ['DELETE', '/api/v2/uploads/token'],
    ['GET', '/api/v2/requests/status/id'],
    ['GET', '/api/v2/requests/status/id/events'],
    ['DELETE', '/api/v2/requests/id'],
    ['GET', '/api/v2/wallet'],
    ['GET', '/cdn/outputs/file.png?signature=x'],
    ['POST', '/api/v9/nothing'],
  ])('may send %s %s', async (method, path) => {
    const response = await ask(path, method);
    expect(response.status).toBe(204);
    expectOpen(response);
    expect(getList(response.headers.get('access-control-allow-methods'))).toContain(method.toLowerCase());
    expect(getList(response.headers.get('access-control-allow-headers'))).toEqual(
      expect.arrayContaining(SENT_BY_CLIENT),
    );
  });

  it.each(['/api/fetch', '/api/fetch/token', '/api/metrics', '/api/stripe/webhook'])(
    'may not use %s',
    async (path) => {
      for (const response of [await ask(path, 'POST'), await fetch(service.url + path)]) {
        expect(response.ok).toBe(false);
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
      }
    },
  );

  it('may read refusals: of a key, a path, a signature', async () => {
    const headers = { origin: ELSEWHERE };
    const responses = [
      await fetch(`${service.url}/api/v2/wallet`, { headers }),
      await fetch(`${service.url}/api/v2/uploads/nothing`, { method: 'HEAD', headers }),
      await fetch(`${service.url}/cdn/outputs/file.png`, { headers }),
      await fetch(`${service.url}/api/v9/nothing`, { headers }),
      await fetch(`${service.url}/api/v9/nothing`, { method: 'POST', headers }),
      await fetch(`${service.url}/api/v2/quotes`, { headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 404, 403, 404, 404, 405]);
    responses.forEach(expectOpen);
  });

  it('gain nothing by a session cookie', async () => {
    const headers = { origin: ELSEWHERE, cookie: service.cookie, 'sec-fetch-site': 'cross-site' };
    const response = await fetch(`${service.url}/api/v2/wallet`, { headers });
    expect(response.status).toBe(401);
    expectOpen(response);
  });

  it('run the TypeScript client with a key: an upload in parts, a job, its result', async () => {
    const seen: Response[] = [];
    const client = createClient({
      apiKey: service.api.apiKey,
      origin: service.url,
      async fetch(request) {
        const sent = new Request(request, { headers: [...request.headers, ['origin', ELSEWHERE]] });
        // A page leaves this one to the browser.
        const names = [...request.headers.keys()].filter((name) => name !== 'user-agent');
        const asked = await ask(new URL(request.url).pathname, request.method, names);
        const allowed = getList(asked.headers.get('access-control-allow-headers'));
        expect(allowed).toEqual(expect.arrayContaining(names));
        const response = await fetch(sent);
        seen.push(response);
        return response;
      },
    });
    await client.upload(new Blob([new Uint8Array(17 * 1024 * 1024)]));
    const { output } = await client.run('media-convert-image', service.api.imageUrl, { to_format: 'webp' });
    const [url = ''] = output?.media_url ?? [];
    expect((await client.download(url)).headers.get('content-type')).toBe('image/webp');
    expect(seen.length).toBeGreaterThan(5);
    seen.forEach(expectOpen);
  });
});
