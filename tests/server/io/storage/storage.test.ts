import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnv } from '../../../../server/base/env.ts';
import type { Storage } from '../../../../server/base/storage.ts';
import { openStorage } from '../../../../server/io/storage/index.ts';
import { startS3, type TestS3 } from '../../../support/servers/s3.ts';

const FUTURE = new Date(Date.now() + 3_600_000);
const PAST = new Date(Date.now() - 3_600_000);

describe.each(['disk', 's3'])('storage on %s', (kind) => {
  let directory: string;
  let s3: TestS3 | undefined;
  let storage: Storage;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'storage-'));
    if (kind === 's3') s3 = await startS3();
    storage = await openStorage(readEnv({ DATA_DIR: join(directory, 'data'), ...s3?.environment }));
  });

  afterAll(async () => {
    await s3?.stop();
    await rm(directory, { recursive: true });
  });

  async function put(key: string, bytes: Buffer | string): Promise<void> {
    const path = join(directory, 'produced');
    await writeFile(path, bytes);
    await storage.putFile(key, path, 'image/png');
    expect(existsSync(path)).toBe(false);
  }

  async function read(key: string, range?: { start: number; end: number }): Promise<Buffer> {
    const { bytes, stream } = await storage.get(key, range);
    const content = await buffer(stream);
    expect(content.length).toBe(bytes);
    return content;
  }

  async function keys(prefix: string, before = FUTURE): Promise<string[]> {
    const found: string[] = [];
    for await (const key of storage.list(prefix, before)) found.push(key);
    return found.sort();
  }

  test.each([
    ['empty', 0],
    ['small', 1_000],
    ['of several parts', 17 * 1024 * 1024 + 5],
  ])('a file that is %s is read back unchanged', async (_name, bytes) => {
    const content = randomBytes(bytes);
    const key = `outputs/request-${bytes}/token/photo ä (1).png`;
    await put(key, content);
    expect(content.equals(await read(key))).toBe(true);
    const copy = await storage.toLocalFile(key, directory);
    expect(content.equals(await readFile(copy))).toBe(true);
    await storage.delete(key);
  });

  test('a range returns its bytes, both ends included', async () => {
    await put('outputs/range/t/a.txt', '0123456789');
    expect((await read('outputs/range/t/a.txt', { start: 2, end: 5 })).toString()).toBe('2345');
    expect((await read('outputs/range/t/a.txt', { start: 9, end: 9 })).toString()).toBe('9');
  });

  test('a copy outlives its source, and is as new as it is', async () => {
    const [from, to] = ['inputs/copied/t/photo ä (1).png', 'inputs/kept/t/photo.png'];
    await put(from, 'bytes');
    const between = new Date(Date.now() + 1);
    await expect.poll(() => Date.now()).toBeGreaterThan(between.getTime() + 10);
    await storage.copy(from, to);
    // The stand-in gives a copy the age of its source, as no bucket does.
    if (kind === 'disk') expect(await keys('inputs/kept/', between)).toEqual([]);
    await storage.delete(from);
    expect((await read(to)).toString()).toBe('bytes');
    await storage.delete(to);
    expect([...(await keys('inputs/copied/')), ...(await keys('inputs/kept/'))]).toEqual([]);
  });

  test('a missing key is not found', async () => {
    const missing = { code: 'not_found' };
    await expect(storage.copy('outputs/none/t/a.png', 'outputs/b/t/a.png')).rejects.toMatchObject(missing);
    await expect(storage.get('outputs/none/t/a.png')).rejects.toMatchObject(missing);
    await expect(storage.toLocalFile('outputs/none/t/a.png', directory)).rejects.toMatchObject(missing);
  });

  test('deleting is final, and can be repeated', async () => {
    await put('outputs/deleted/t/a.png', 'a');
    await storage.delete('outputs/deleted/t/a.png');
    await storage.delete('outputs/deleted/t/a.png');
    await expect(storage.get('outputs/deleted/t/a.png')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a list has the keys below its prefix, by age, even while they are deleted', async () => {
    for (const key of ['inputs/l1/t/a', 'inputs/l1/t/b', 'inputs/l2/t/a', 'outputs/l1/t/a'])
      await put(key, 'x');
    expect(await keys('inputs/')).toEqual(['inputs/l1/t/a', 'inputs/l1/t/b', 'inputs/l2/t/a']);
    expect(await keys('inputs/l1/')).toEqual(['inputs/l1/t/a', 'inputs/l1/t/b']);
    expect(await keys('inputs/', PAST)).toEqual([]);
    expect(await keys('inputs/none/')).toEqual([]);
    for await (const key of storage.list('inputs/', FUTURE)) await storage.delete(key);
    expect(await keys('inputs/')).toEqual([]);
  });

  test.each([
    '../secret',
    'outputs/../../secret',
    'outputs//a',
    'outputs/./a',
    '/etc/passwd',
    'outputs/a\0b',
    'outputs',
    'other/a',
  ])('the key %j is rejected', async (key) => {
    await writeFile(join(directory, 'kept'), 'x');
    const bad = { code: 'internal' };
    await expect(async () => storage.get(key)).rejects.toMatchObject(bad);
    await expect(async () => storage.putFile(key, join(directory, 'kept'), 'a/b')).rejects.toMatchObject(bad);
    await expect(async () => storage.delete(key)).rejects.toMatchObject(bad);
    await expect(async () => storage.toLocalFile(key, directory)).rejects.toMatchObject(bad);
  });

  test('the check passes while the store works', () => storage.check());

  test('the check fails when the store is gone', async () => {
    if (s3) await s3.stop();
    else await rm(join(directory, 'data'), { recursive: true });
    await expect(storage.check()).rejects.toThrow();
    if (kind === 's3') s3 = undefined;
  });
});

test('the disk keeps no empty folder of deleted files', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-'));
  const storage = await openStorage(readEnv({ DATA_DIR: dataDir }));
  const path = join(dataDir, 'produced');
  for (const key of ['outputs/r/t1/a', 'outputs/r/t2/a']) {
    await writeFile(path, 'x');
    await storage.putFile(key, path, 'text/plain');
  }
  await storage.delete('outputs/r/t1/a');
  expect(await readdir(join(dataDir, 'storage/outputs/r'))).toEqual(['t2']);
  await storage.delete('outputs/r/t2/a');
  expect(existsSync(join(dataDir, 'storage/outputs/r'))).toBe(false);
  await rm(dataDir, { recursive: true });
});

test('a store on another file system gets the whole file', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-'));
  const elsewhere = '/dev/shm';
  const path = join(existsSync(elsewhere) ? elsewhere : dataDir, `produced-${process.pid}`);
  const storage = await openStorage(readEnv({ DATA_DIR: dataDir }));
  await writeFile(path, 'x'.repeat(100_000));
  await storage.putFile('outputs/r/t/a', path, 'text/plain');
  expect((await buffer((await storage.get('outputs/r/t/a')).stream)).length).toBe(100_000);
  expect(await readdir(join(dataDir, 'storage/outputs/r/t'))).toEqual(['a']);
  await rm(path, { force: true });
  await rm(dataDir, { recursive: true });
});

test('a store whose folder cannot be created fails at the start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-'));
  await mkdir(join(dataDir, 'sub'));
  await writeFile(join(dataDir, 'sub/storage'), 'a file is in the way');
  await expect(openStorage(readEnv({ DATA_DIR: join(dataDir, 'sub') }))).rejects.toThrow('EEXIST');
  await rm(dataDir, { recursive: true });
});
