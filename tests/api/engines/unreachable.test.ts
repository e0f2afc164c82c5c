import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { listFiles, listOwnEngines, type OperationEngine } from '../../../models/core/runtime/fit.ts';
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

/** Returns an operation whose weights come from a source of the test alone. */
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
  const operations = {
    ...OPERATIONS,
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

describe('a mirror that accepts connections and stays silent', { timeout: 60_000 }, () => {
  it('lets a moderation of all categories say at once which are available, and is not asked again', async () => {
    const moderate = (more = {}) =>
      api.post('/content-safety/v1/image-moderation', { image_url: `${api.files.url}/subject.png`, ...more });
    const first = await moderate();
    const requests = asked.length;
    for (const { status, headers, body } of [
      first,
      await moderate(),
      await moderate({ categories: ['Hate'] }),
    ]) {
      expect([status, body.code, body.field], body.message).toEqual([503, 'unavailable', 'categories']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body.message).toContain('Available here: Sexual.');
    }
    expect(asked).toHaveLength(requests);
    expect(await readBalance(api.ctx.db, api.accountId)).toMatchObject({ balance: 1_000_000n, held: 0n });
    expect(await api.ctx.db.$count(schema.jobs)).toBe(0);
  });
});

describe('a silent mirror before a source that responds', () => {
  it('delays no engine', async () => {
    const [card] = listOwnEngines(OPERATIONS['remove-bg'])
      .flatMap(listFiles)
      .filter(({ id }) => id === 'u2netp');
    if (!card) throw new Error('there is no such engine');
    const bytes = card.bytes ?? 0;
    const responsive = createServer((_request, response) =>
      response.writeHead(200, { 'content-length': bytes }).end(Buffer.alloc(bytes)),
    ).listen(0, '127.0.0.1');
    await once(responsive, 'listening');
    const url = `http://127.0.0.1:${(responsive.address() as AddressInfo).port}/weights`;
    const env = { ...api.ctx.env, DATA_DIR: await mkdtemp(join(tmpdir(), 'darkroom-silent-')) };
    expect(await openWeightStore(env).confirm({ ...card, url }, 50_000)).toBe(true);
    const other = { ...card, url, bytes: bytes + 1 };
    expect(await openWeightStore(env).confirm(other, 500)).toBe(false);
    expect(await openWeightStore(env).isWrong(other)).toBe(true);
    responsive.closeAllConnections();
    responsive.close();
    await rm(env.DATA_DIR, { recursive: true });
  });
});
