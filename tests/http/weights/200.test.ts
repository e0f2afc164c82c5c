import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RELAYED, RELAYED_BYTES, type RelayApi, startRelayApi } from '../../support/relayed-weights.ts';

const isRelayed = async (response: Response) =>
  Buffer.from(RELAYED_BYTES).equals(new Uint8Array(await response.arrayBuffer()));

describe('GET /weights/<sha256> answers 200', () => {
  let api: RelayApi;
  beforeAll(async () => {
    api = await startRelayApi();
  });
  afterAll(() => api.close());

  it('with what its source sends while it is not here, and no key', async () => {
    const response = await api.get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': expect.stringContaining('immutable'),
      'content-disposition': 'attachment; filename="u2netp.onnx"',
      'content-length': String(RELAYED.bytes),
      'cross-origin-resource-policy': 'same-origin',
      'ratelimit-limit': '40',
    });
    expect(await isRelayed(response)).toBe(true);
  });

  it('without a body to HEAD', async () => {
    const response = await api.get({}, 'HEAD');
    expect(response.headers.get('content-length')).toBe(String(RELAYED.bytes));
    expect(await response.text()).toBe('');
  });

  it('from the store once it is here', async () => {
    await api.store();
    const response = await api.get();
    expect(response.headers.get('etag')).toBe(`"${RELAYED.sha256}"`);
    expect(await isRelayed(response)).toBe(true);
  });
});
