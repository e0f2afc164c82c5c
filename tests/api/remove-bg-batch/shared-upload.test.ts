import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
/** Sends a background only once the others of the batch have had the time to be staged. */
const slow = createServer(async (_, response) => {
  const create = { width: 8, height: 8, channels: 3, background: '#80a0e0' } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes), 1_000);
});
beforeAll(async () => {
  api = await startApi();
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  slow.closeAllConnections();
  slow.close();
  await api.close();
});

it('the first item that names an upload gets it, however long the rest of that item takes', async () => {
  const bytes = new Uint8Array(await (await fetch(`${api.files.url}/subject.png`)).arrayBuffer());
  const { upload_url: image_url } = (await api.upload(bytes)).body;
  const background = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/wall.png`;
  const items = [{ image_url, background }, { image_url }, { image_url, background: '#102030' }];
  expect((await api.removeBgBatch({ items })).status).toBe(202);
  const settled = await api.ctx.db.select().from(schema.batchItems).orderBy(schema.batchItems.position);
  expect(settled.map(({ position }) => position)).toEqual([1, 2]);
});
