import { expect, it } from 'vitest';
import { RELAYED, startRelayApi } from '../../support/relayed-weights.ts';

it('GET /weights/<sha256> returns 304 to a client that has the file', async () => {
  const api = await startRelayApi();
  await api.store();
  expect((await api.get({ 'if-none-match': `"${RELAYED.sha256}"` })).status).toBe(304);
  await api.close();
});
