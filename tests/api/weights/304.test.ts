import { expect, it } from 'vitest';
import { RELAYED_CARD, startRelayApi } from '../../support/service/relayed-weights.ts';

it('GET /weights/<sha256> returns 304 to a client that has the file', async () => {
  const api = await startRelayApi();
  await api.store();
  expect((await api.get({ 'if-none-match': `"${RELAYED_CARD.sha256}"` })).status).toBe(304);
  await api.close();
});
