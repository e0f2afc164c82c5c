import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEncodingChooser } from '../../../../server/api/transport/negotiate-encoding.ts';
import { compressFiles, encodeAhead } from '../../../../server/ops/build/compress-files.ts';

/** Half noise, half zeros: it compresses, and is large enough for the cache. */
const WASM = Buffer.concat([randomBytes(600_000), Buffer.alloc(600_000)]);
const SCRIPT = Buffer.from('export const one = 1;\n'.repeat(200));

let buildDir: string;
const at = (name: string) => join(buildDir, 'static', name);
beforeAll(async () => {
  buildDir = await mkdtemp(join(tmpdir(), 'darkroom-build-'));
  await mkdir(at('media'), { recursive: true });
  await writeFile(at('media/core.wasm'), WASM);
  await writeFile(at('page.js'), SCRIPT);
  await writeFile(at('tiny.js'), '1;');
  await writeFile(at('photo.png'), randomBytes(5_000));
  await compressFiles(buildDir);
});
afterAll(() => rm(buildDir, { recursive: true }));

describe('the files of a build', () => {
  it('are stored in both codings where that saves bytes', async () => {
    const names = await readdir(join(buildDir, 'static'), { recursive: true });
    expect(names.filter((name) => /\.(br|gz|part)$/.test(name)).sort()).toEqual([
      'media/core.wasm.br',
      'media/core.wasm.gz',
      'page.js.br',
      'page.js.gz',
    ]);
    expect(brotliDecompressSync(await readFile(at('media/core.wasm.br'))).equals(WASM)).toBe(true);
    expect(gunzipSync(await readFile(at('media/core.wasm.gz'))).equals(WASM)).toBe(true);
    expect(brotliDecompressSync(await readFile(at('page.js.br'))).equals(SCRIPT)).toBe(true);
  });

  it('are compressed once; missing copies are restored, large ones from the cache', async () => {
    const before = await stat(at('page.js.br'));
    await rm(at('media/core.wasm.br'));
    const cache = join(buildDir, 'cache', 'encoded');
    const [cached = ''] = (await readdir(cache)).filter((name) => name.endsWith('.br'));
    await writeFile(join(cache, cached), 'from the cache');
    await compressFiles(buildDir);
    expect(await readFile(at('media/core.wasm.br'), 'utf8')).toBe('from the cache');
    expect((await stat(at('page.js.br'))).mtimeMs).toBe(before.mtimeMs);
  });
});

function choose(path: string, headers: Record<string, string>, method = 'GET') {
  const url = `/_next/static/${path}`;
  const request = { method, url, headers: { ...headers } } as unknown as IncomingMessage;
  const sent: Record<string, unknown> = {};
  const setHeader = (name: string, value: unknown) => {
    sent[name] = value;
  };
  createEncodingChooser(buildDir)(request, { setHeader } as unknown as ServerResponse);
  return { file: request.url?.split('/').at(-1), ...sent, left: request.headers['accept-encoding'] };
}

describe('a request for a file', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'core.wasm.br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'core.wasm.gz', 'gzip'],
    ['br;q=0, *', 'core.wasm.gz', 'gzip'],
    ['gzip;q=0, br;q=0', 'core.wasm', undefined],
    ['deflate', 'core.wasm', undefined],
    ['', 'core.wasm', undefined],
  ])('that accepts "%s" gets %s', (accepted, file, coding) => {
    expect(choose('media/core.wasm', { 'accept-encoding': accepted })).toMatchObject({
      file,
      vary: 'Accept-Encoding',
      left: 'identity',
      ...(coding && { 'content-encoding': coding, 'content-type': 'application/wasm' }),
    });
  });

  it('gets a compressed copy for GET and HEAD only', () => {
    const asked = { 'accept-encoding': 'br' };
    expect(choose('page.js', asked, 'HEAD')).toMatchObject({ file: 'page.js.br' });
    expect(choose('page.js', asked, 'POST')).toEqual({ file: 'page.js', left: 'br' });
  });

  it('passes on no conditional headers, as they refer to the compressed copy', () => {
    const headers = {
      'if-match': '"x"',
      'if-unmodified-since': new Date(0).toUTCString(),
      'if-none-match': '"x"',
    };
    const request = { method: 'GET', url: '/_next/static/page.js', headers } as unknown as IncomingMessage;
    createEncodingChooser(buildDir)(request, { setHeader: () => {} } as unknown as ServerResponse);
    expect(Object.keys(request.headers)).toEqual(['if-none-match', 'accept-encoding']);
  });

  it('with Range gets the uncompressed file', () => {
    const asked = { 'accept-encoding': 'br', range: 'bytes=0-9' };
    expect(choose('media/core.wasm', asked)).toEqual({
      file: 'core.wasm',
      vary: 'Accept-Encoding',
      left: 'identity',
    });
  });
});

it('large files that are encoded ahead are taken over as they are', async () => {
  const ahead = await mkdtemp(join(tmpdir(), 'darkroom-ahead-'));
  const path = join(ahead, 'source.wasm');
  await writeFile(path, WASM);
  await encodeAhead([path, join(ahead, 'missing.wasm'), at('tiny.js')], ahead);
  const cache = join(ahead, 'cache/encoded');
  const names = await readdir(cache);
  expect(names.map((name) => name.slice(-3)).sort()).toEqual(['.br', '.gz']);
  // Marked, to be recognised.
  for (const name of names) await writeFile(join(cache, name), name);
  await mkdir(join(ahead, 'static'));
  await writeFile(join(ahead, 'static/core.wasm'), WASM);
  await compressFiles(ahead);
  expect(names).toContain(await readFile(join(ahead, 'static/core.wasm.br'), 'utf8'));
  expect(names).toContain(await readFile(join(ahead, 'static/core.wasm.gz'), 'utf8'));
  await rm(ahead, { recursive: true });
});
