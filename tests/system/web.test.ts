import { readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebProcess, type WebProcess } from '../support/processes/web-process.ts';

const STATIC = resolve(import.meta.dirname, '../../.next/static');
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync };
const ENDINGS = { br: '.br', gzip: '.gz' };

let service: WebProcess;
let names: string[];
beforeAll(async () => {
  service = await startWebProcess();
  names = await readdir(STATIC, { recursive: true });
});
afterAll(() => service?.stop());

it('the API responds in JSON to requests that look like those of pages', async () => {
  const { status, headers } = await get('/api/v2/wallet', { rsc: '1' });
  expect([status, headers['content-type']]).toEqual([401, 'application/json; charset=utf-8']);
});

interface Raw {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Fetches raw bytes: fetch would decode them, and normalise the path. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((done, failed) => {
    const asked = request(service.url, { path, headers, method }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    });
    asked.on('error', failed).end();
  });
}

const anyOf = (ending: string): string => {
  const name = names.find((each) => each.endsWith(ending) && names.includes(`${each}.br`));
  if (!name) throw new Error(`no file ends with ${ending}`);
  return name;
};
const getContent = (name: string): Promise<Buffer> => readFile(join(STATIC, name));
const getUrl = (name: string): string => `/_next/static/${name}`;

describe('files of the build', () => {
  it.each([
    ['.wasm', 'application/wasm'],
    ['.js', 'application/javascript; charset=UTF-8'],
    ['.mjs', 'application/javascript; charset=UTF-8'],
    ['.css', 'text/css; charset=UTF-8'],
  ])('%s are stored compressed and sent from there', async (ending, type) => {
    const name = anyOf(ending);
    const content = await getContent(name);
    for (const coding of ['br', 'gzip'] as const) {
      const { status, headers, body } = await get(getUrl(name), { 'accept-encoding': coding });
      expect([status, headers]).toEqual([
        200,
        expect.objectContaining({
          'content-encoding': coding,
          'content-type': type,
          'content-length': String((await stat(join(STATIC, name + ENDINGS[coding]))).size),
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'Accept-Encoding',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          'content-security-policy': expect.stringContaining("default-src 'none'"),
        }),
      ]);
      expect(body.equals(await getContent(name + ENDINGS[coding]))).toBe(true);
      expect(DECODE[coding](body).equals(content)).toBe(true);
    }
  });

  it('have both codings, except tiny ones', async () => {
    const large = [];
    for (const name of names.filter((each) => /\.(js|mjs|css|wasm)$/.test(each))) {
      if ((await stat(join(STATIC, name))).size >= 1000) large.push(name);
    }
    expect(large.length).toBeGreaterThan(20);
    expect(large.filter((name) => !names.includes(`${name}.br`) || !names.includes(`${name}.gz`))).toEqual(
      [],
    );
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['gzip;q=0, br;q=0', undefined],
    [undefined, undefined],
  ])('sent to a client that accepts %s have the coding %s', async (accepted, coding) => {
    const name = anyOf('.wasm');
    const { status, headers, body } = await get(
      getUrl(name),
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    );
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, coding, 'Accept-Encoding']);
    expect(body.equals(await getContent(coding ? name + ENDINGS[coding as 'br'] : name))).toBe(true);
  });

  it('have an ETag for each coding, and return 304 when it matches', async () => {
    const url = getUrl(anyOf('.wasm'));
    const etags = [];
    for (const accepted of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': accepted };
      const { etag } = (await get(url, headers, 'HEAD')).headers;
      etags.push(etag);
      const again = await get(url, { ...headers, 'if-none-match': String(etag) });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
    expect(new Set(etags).size).toBe(3);
  });

  it('return the headers of GET for HEAD', async () => {
    const name = anyOf('.wasm');
    const { headers, body } = await get(getUrl(name), { 'accept-encoding': 'br' }, 'HEAD');
    const { size } = await stat(join(STATIC, `${name}.br`));
    expect([headers['content-encoding'], headers['content-length'], body.length]).toEqual([
      'br',
      String(size),
      0,
    ]);
  });

  it('are sent uncompressed for Range, whatever the client accepts', async () => {
    const name = anyOf('.wasm');
    const { status, headers, body } = await get(getUrl(name), {
      'accept-encoding': 'br, gzip',
      range: 'bytes=1000-1999',
    });
    expect([status, headers['content-encoding'], headers['content-length']]).toEqual([
      206,
      undefined,
      '1000',
    ]);
    expect(body.equals((await getContent(name)).subarray(1000, 2000))).toBe(true);
  });

  it('are listed for offline use by their own names only', async () => {
    const { body } = await get('/service-worker.js');
    expect(body.toString()).toContain('.wasm"');
    expect(body.toString()).not.toMatch(/\.(br|gz)"/);
  });

  it('do not include pages, which are compressed per response', async () => {
    const { headers, body } = await get('/convert', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(body).toString()).toContain('<!DOCTYPE html>');
  });
});

/** Sends a raw path, with anything that a client library would not send. */
function getRaw(target: string): Promise<{ status: number; type: string; body: string }> {
  return new Promise((done, failed) => {
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', failed).on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const type = /content-type: ([^\r]*)/i.exec(head)?.[1] ?? '';
      done({ status: Number(head.split(' ')[1]), type, body });
    });
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  });
}

describe('an invalid path', () => {
  it.each([
    ['/api', 404],
    ['/api/', 404],
    ['/api?x=1', 404],
    ['/api/nothing', 404],
    ['/api/health/', 404],
    ['/api/v2/wallet/', 404],
    ['//api/health', 404],
    ['/api//health', 404],
    ['/api\\health', 404],
    ['/API/health', 404],
    ['/api/../etc/passwd', 404],
    ['/api/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/api/..%2f..%2fetc%2fpasswd', 404],
    ['/pages/%2e%2e/api/nothing/', 404],
    ['/api/v2/requests/status/%E0%A4%A', 400],
    ['/api/%zz', 400],
    ['/api/%', 400],
    ['*', 400],
  ])('%s returns %i as JSON', async (target, status) => {
    const response = await getRaw(target);
    expect([response.status, response.type]).toEqual([status, 'application/json; charset=utf-8']);
    const json = response.body.slice(response.body.indexOf('{'), response.body.lastIndexOf('}') + 1);
    expect(JSON.parse(json)).toEqual({
      error: status === 404 ? 'Not Found' : 'Bad Request',
      message: expect.stringMatching(/\w.*\.$/),
      code: status === 404 ? 'not_found' : 'bad_request',
      request_id: expect.stringMatching(/^.{16,}$/),
    });
  });

  it('its whole URL returns the same', async () => {
    const { body } = await getRaw('/api/health?x=%zz');
    expect(body).toContain('{"status":"ok"}');
    expect((await getRaw(`${service.url}/api/health`)).body).toContain('{"status":"ok"}');
  });
});
