import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFiles, listOwnEngines, type OperationEngine } from '../../../models/core/device/fit.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance } from '../../../server/money/wallet/index.ts';
import { openWeightStore } from '../../../server/runtime/weight-store/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

/** Source of all weights: it accepts connections and never responds. */
let silent: Server;
let asked: string[];
let api: TestApi;
let removeBg: Operation;

/** Returns an operation whose weights come from a source of the test. */
function withSource(operation: Operation, origin: string): Operation {
  const move = (card: WeightCard): WeightCard =>
    card.url === null ? card : { ...card, url: `${origin}/${card.id}` };
  const engineList = listOwnEngines(operation).map((engine: OperationEngine) => ({
    ...engine,
    card: engine.card && move(engine.card),
    ...(engine.companions && { companions: engine.companions.map(move) }),
  }));
  return { ...operation, engineList };
}

beforeAll(async () => {
  asked = [];
  silent = createServer(({ url = '' }) => asked.push(url));
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  removeBg = withSource(OPERATIONS['remove-bg'], origin);
  const operations = {
    ...OPERATIONS,
    'remove-bg': removeBg,
    'image-moderation': withSource(OPERATIONS['image-moderation'], origin),
  };
  const module = new URL('../../../models/registry.ts', import.meta.url);
  api = await startApi({ MODEL_MIRROR: `${origin}/mirror` }, '1', { operations, module });
});
afterAll(async () => {
  await api.close();
  silent.closeAllConnections();
  silent.close();
});

describe('a mirror that does not respond', () => {
  it('makes a moderation of all categories unavailable, which names those that are available, and is not asked again', async () => {
    const moderate = () => api.post('/content-safety/v1/image-moderation', { image_url: api.imageUrl });
    const first = await moderate();
    const requests = asked.length;
    expect(requests).toBeGreaterThan(0);
    for (const { status, headers, body } of [first, await moderate()]) {
      expect([status, body.code, body.field]).toEqual([503, 'unavailable', 'categories']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body.message).toContain('Available here: Sexual.');
    }
    expect(asked).toHaveLength(requests);
    const { status } = await api.post('/content-safety/v1/image-moderation', {
      image_url: api.imageUrl,
      categories: ['Hate'],
    });
    expect(status).toBe(503);
    expect(await readBalance(api.ctx.db, api.accountId)).toMatchObject({ balance: 1_000_000n, held: 0n });
    expect(await api.ctx.db.$count(schema.jobs)).toBe(0);
  });

  it('makes a named engine unavailable, to be asked for again later', async () => {
    const engine = listOwnEngines(removeBg).find(({ id }) => id === 'u2netp');
    const [card] = engine ? listFiles(engine) : [];
    if (!card) throw new Error('there is no such engine');
    expect(await openWeightStore(api.ctx.env).confirm(card)).toBe(false);
    const { status, headers, body } = await api.removeBg({
      image_url: `${api.files.url}/subject.png`,
      engine: 'u2netp',
    });
    expect([status, body.code, body.field]).toEqual([503, 'unavailable', 'engine']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
