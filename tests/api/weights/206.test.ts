import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RELAYED_BYTES, type RelayApi, startRelayApi } from '../../support/service/relayed-weights.ts';

const START = 4_000_000;

async function expectRest(response: Response): Promise<void> {
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe(
    `bytes ${START}-${RELAYED_BYTES.length - 1}/${RELAYED_BYTES.length}`,
  );
  const rest = new Uint8Array(await response.arrayBuffer());
  expect(Buffer.from(RELAYED_BYTES.subarray(START)).equals(rest)).toBe(true);
}

describe('GET /weights/<sha256> returns 206', () => {
  let api: RelayApi;
  beforeAll(async () => {
    api = await startRelayApi();
  });
  afterAll(() => api.close());

  it('with the rest of a broken download, relayed from its source', async () =>
    expectRest(await api.get({ range: `bytes=${START}-` })));

  it('with the rest of the stored file', async () => {
    await api.store();
    await expectRest(await api.get({ range: `bytes=${START}-` }));
  });

  it('or 200 for a range in the middle of a relayed file', async () => {
    const fresh = await startRelayApi();
    expect((await fresh.get({ range: 'bytes=5-9' })).status).toBe(200);
    await fresh.close();
  });
});
