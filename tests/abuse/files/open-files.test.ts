import { stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
let umask: number;
beforeAll(async () => {
  umask = process.umask(0o022);
  api = await startApi();
});
afterAll(async () => {
  process.umask(umask);
  await api.close();
});

const getMode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

/** Lists the modes of an object and of the folders above it, up to DATA_DIR. */
async function getModes(key: string): Promise<string[]> {
  const root = api.ctx.env.DATA_DIR;
  const modes: string[] = [];
  for (let path = join(root, 'storage', key); path !== root; path = dirname(path)) {
    modes.push(await getMode(path));
  }
  return modes;
}

it('no other user of the machine can read an input or an upload', async () => {
  await api.convert({ image_url: api.imageUrl, to_format: 'png' });
  await api.upload(Buffer.from('some bytes'));
  const [input] = await api.ctx.db.select().from(schema.files);
  const [upload] = await api.ctx.db.select().from(schema.uploads);
  for (const key of [input?.key ?? '', `inputs/uploads/${upload?.token}/input`]) {
    expect(await getModes(key)).toEqual(['600', '700', '700', '700', '700']);
  }
  expect(await getMode(join(api.ctx.env.DATA_DIR, 'incoming'))).toBe('700');
});

it('no other user of the machine can read a result, whatever its maker left it as', async () => {
  const path = join(api.ctx.env.DATA_DIR, 'made');
  await writeFile(path, 'bytes', { mode: 0o644 });
  const key = 'outputs/job/token/output.png';
  await api.ctx.storage.putFile(key, path, 'image/png');
  expect(await getModes(key)).toEqual(['600', '700', '700', '700', '700']);
});
