import { expose } from 'comlink';
import type { FloatImage } from '../../../models/raster.ts';
import { MATTE_NETWORKS } from '../../../models/remove-bg/networks.ts';
import { predictMatte } from '../../../models/remove-bg/predict-matte.ts';
import type { WeightCard } from '../../../models/weights/weight-card.ts';
import { type Answer, answer } from '../../../workers/protocol.ts';
import type { NetworkDevice } from '../../../workers/runtime/inference/device.ts';
import { WebInference } from '../../../workers/runtime/inference/web-inference.ts';
import { fetchSource } from '../../../workers/runtime/weight-cache/fetch-source.ts';
import { sha256Of } from '../../../workers/runtime/weight-cache/sha256-of.ts';
import { openWeightFolder } from '../../../workers/runtime/weight-cache/weight-folder.ts';
import { WebWeightStore } from '../../../workers/runtime/weight-cache/weight-store.ts';
import type { Prediction } from './outcome.ts';

const { signal } = new AbortController();

/** Parts of the runtime as a worker of the product uses them, with what a test puts in place of the catalogue. */
const PARTS = {
  /** @returns the SHA-256 of what was read */
  readWeights(
    card: WeightCard,
    urls: readonly string[],
    isKept: boolean,
    onProgress: (fraction: number) => void,
  ): Promise<Answer<string>> {
    return answer(async () => {
      const sources = urls.map((url) => fetchSource(new URL(url).host, url, 'no-store'));
      const folder = isKept ? await openWeightFolder() : null;
      const store = new WebWeightStore({ folder, sourcesOf: () => sources });
      return sha256Of(await store.read(card, { signal, onProgress }));
    });
  },

  async listWeights(): Promise<Record<string, number>> {
    const folder = await openWeightFolder();
    return Object.fromEntries((await folder?.list()) ?? []);
  },

  /** Lets the network of an id, whose graph lies at `url`, look at a picture. */
  predict(id: string, url: string, picture: FloatImage, device: NetworkDevice): Promise<Answer<Prediction>> {
    return answer(async () => {
      const network = MATTE_NETWORKS.find(({ card }) => card.id === id);
      if (!network) throw new Error(`${id}: no such network`);
      const weights = {
        has: async () => true,
        read: async () => new Uint8Array(await (await fetch(url)).arrayBuffer()),
      };
      const inference = new WebInference({ weights, device });
      const { provider, notices, matte } = await inference.use(network.card, { signal }, (session) =>
        predictMatte(network, session, picture, signal),
      );
      return { provider, notices, width: matte.width, height: matte.height, matte: Array.from(matte.data) };
    });
  },
};

export type Parts = typeof PARTS;

expose(PARTS);
