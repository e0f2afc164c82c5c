import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { WEIGHTS } from '../../../models/registry.ts';
import { handleApi } from '../../../server/api/api.ts';
import { removeFolder } from '../setup/remove-folder.ts';
import { trackBody } from '../setup/unread-bodies.ts';
import { startApi, type TestApi } from './api.ts';
import { createWeightCard } from './weight-files.ts';

/** Catalogue file of these tests while a `RelayApi` is open, since the real ones are too large to ship. */
export const RELAYED_BYTES = new Uint8Array(randomBytes(4_500_000));
export const RELAYED_CARD = createWeightCard(RELAYED_BYTES, {
  id: 'relayed',
  url: 'http://127.0.0.1:9/relayed.onnx',
});
export const RELAY_PATH = `/api/weights/${RELAYED_CARD.sha256}`;

export interface RelayApi extends TestApi {
  /** Path of the file in the server's store. */
  readonly storedPath: string;
  /** Writes bytes into the server's store as if they were the file. */
  put(bytes: Uint8Array): Promise<void>;
  /** Moves the file into the server's store, as a verified download leaves it, and out of the mirror. */
  store(): Promise<void>;
  /** Makes the server's store reject every file, so that each request is relayed to the source. */
  keepAway(): Promise<void>;
  get(headers?: Record<string, string>, method?: string): Promise<Response>;
}

const catalogue = WEIGHTS as WeightCard[];

/** Starts an API whose only source of weights is a folder that has the file. */
export async function startRelayApi(environment: Record<string, string> = {}): Promise<RelayApi> {
  catalogue.push(RELAYED_CARD);
  const mirror = await mkdtemp(join(tmpdir(), 'darkroom-mirror-'));
  const mirrored = join(mirror, weightFileName(RELAYED_CARD));
  await writeFile(mirrored, RELAYED_BYTES);
  const api = await startApi({ MODELS_OFFLINE: '1', MODEL_MIRROR: mirror, ...environment });
  const { ctx } = api;
  const directory = join(ctx.env.DATA_DIR, 'models');
  const storedPath = join(directory, weightFileName(RELAYED_CARD));
  const put = async (bytes: Uint8Array) => {
    await mkdir(directory, { recursive: true });
    await writeFile(storedPath, bytes);
  };
  return {
    ...api,
    storedPath,
    put,
    async store() {
      await put(RELAYED_BYTES);
      await rm(mirrored, { force: true });
    },
    keepAway: () => writeFile(directory, 'no folder'),
    async get(headers = {}, method = 'GET') {
      const request = new Request(new URL(RELAY_PATH, ctx.env.PUBLIC_URL), { method, headers });
      return trackBody(await handleApi(ctx, request));
    },
    async close() {
      await api.close();
      await removeFolder(mirror);
      catalogue.splice(catalogue.lastIndexOf(RELAYED_CARD), 1);
    },
  };
}
