import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REMOVE_BG_WEIGHTS } from '../../models/weights/remove-bg.ts';
import { weightFileName } from '../../models/weights/weight-card.ts';
import { handleApi } from '../../server/http/api.ts';
import { startApi, type TestApi } from './api.ts';

/** A file of the catalogue, and bytes of its number that stand for it. */
export const RELAYED = REMOVE_BG_WEIGHTS.u2netp;
export const RELAYED_BYTES = new Uint8Array(randomBytes(RELAYED.bytes));
export const RELAY_PATH = `/api/weights/${RELAYED.sha256}`;

export interface RelayApi extends TestApi {
  /** Puts the file into the server's store, as a download that was checked leaves it, and out of the mirror. */
  store(): Promise<void>;
  get(headers?: Record<string, string>, method?: string): Promise<Response>;
}

/** An API that may ask nobody for weights but a folder, which has the file. */
export async function startRelayApi(environment: Record<string, string> = {}): Promise<RelayApi> {
  const mirror = await mkdtemp(join(tmpdir(), 'darkroom-mirror-'));
  const mirrored = join(mirror, weightFileName(RELAYED));
  await writeFile(mirrored, RELAYED_BYTES);
  const api = await startApi({ MODELS_OFFLINE: '1', MODEL_MIRROR: mirror, ...environment });
  const { ctx } = api;
  return {
    ...api,
    async store() {
      const directory = join(ctx.env.DATA_DIR, 'models');
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, weightFileName(RELAYED)), RELAYED_BYTES);
      await rm(mirrored, { force: true });
    },
    get: (headers = {}, method = 'GET') =>
      handleApi(ctx, new Request(new URL(RELAY_PATH, ctx.env.PUBLIC_URL), { method, headers })),
    async close() {
      await api.close();
      await rm(mirror, { recursive: true });
    },
  };
}
