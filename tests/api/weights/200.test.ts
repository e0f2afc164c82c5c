import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  RELAYED_BYTES,
  RELAYED_CARD,
  type RelayApi,
  startRelayApi,
} from '../../support/service/relayed-weights.ts';

const flipped = RELAYED_BYTES.slice();
flipped[1_000_000] = (flipped[1_000_000] as number) ^ 1;

const isRelayed = async (response: Response) =>
  Buffer.from(RELAYED_BYTES).equals(new Uint8Array(await response.arrayBuffer()));

describe('GET /weights/<sha256> returns 200', () => {
  let api: RelayApi;
  beforeAll(async () => {
    api = await startRelayApi();
  });
  afterAll(() => api.close());

  it('with the file relayed from its source, without a key', async () => {
    const response = await api.get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-transform, no-store',
      'content-disposition': 'attachment; filename="relayed.onnx"',
      'content-length': String(RELAYED_CARD.bytes),
      'cross-origin-resource-policy': 'same-origin',
      'ratelimit-limit': '40',
    });
    expect(await isRelayed(response)).toBe(true);
  });

  it('without a body for HEAD', async () => {
    const response = await api.get({}, 'HEAD');
    expect(response.headers.get('content-length')).toBe(String(RELAYED_CARD.bytes));
    expect(await response.text()).toBe('');
  });

  it('from the store once the file is there', async () => {
    await api.store();
    const response = await api.get();
    expect(response.headers.get('etag')).toBe(`"${RELAYED_CARD.sha256}"`);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(await isRelayed(response)).toBe(true);
  });

  it.each([
    ['empty', new Uint8Array()],
    ['cut off', RELAYED_BYTES.subarray(0, 1000)],
    ['changed', flipped],
  ])(
    'with the file from its source when the stored one is %s, and replaces the stored one',
    async (_, bytes) => {
      const fresh = await startRelayApi();
      await fresh.put(bytes);
      const response = await fresh.get();
      expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([
        null,
        'no-transform, no-store',
      ]);
      expect(await isRelayed(response)).toBe(true);
      await expect
        .poll(async () =>
          Buffer.from(RELAYED_BYTES).equals(await readFile(fresh.storedPath).catch(() => bytes)),
        )
        .toBe(true);
      expect((await fresh.get({}, 'HEAD')).headers.get('etag')).toBe(`"${RELAYED_CARD.sha256}"`);
      await fresh.close();
    },
  );
});
