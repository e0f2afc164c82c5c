import { expose } from 'comlink';
import type { Session, WeightSource } from '../../../models/core/runtime/inference.ts';
import type { InferenceDevice } from '../../../models/core/runtime/inference-device.ts';
import type { ReportProgress } from '../../../models/core/runtime/progress.ts';
import type { FloatImage } from '../../../models/core/runtime/raster.ts';
import { floatTensor, getFloats } from '../../../models/core/runtime/tensor.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { predictMatte } from '../../../models/matting/find-subject.ts';
import { MATTE_MODELS } from '../../../models/matting/matte-models.ts';
import { type Outcome, toOutcome } from '../../../workers/bridge/protocol.ts';
import { loadOnnx } from '../../../workers/runtime/inference/onnx.ts';
import type { ProviderTimes, ProviderTimesStore } from '../../../workers/runtime/inference/provider-times.ts';
import { WebInference } from '../../../workers/runtime/inference/web-inference.ts';
import { fetchSource, getSha256 } from '../../../workers/runtime/weight-cache/fetch-source.ts';
import { openWeightFolder } from '../../../workers/runtime/weight-cache/weight-folder.ts';
import { WebWeightStore } from '../../../workers/runtime/weight-cache/weight-store.ts';
import type { Inferred } from './outcome.ts';

const { signal } = new AbortController();

function weightsAt(url: string): WeightSource {
  return {
    has: async () => true,
    read: async () => new Uint8Array(await (await fetch(url)).arrayBuffer()),
  };
}

/** Feeds numbers that increase from 0 to 1. */
async function ramp(session: Session): Promise<Inferred<Float32Array>> {
  const [input] = session.inputs;
  const [output] = session.outputs;
  if (!input || !output) throw new Error('no input or no output');
  const dims = input.dims.map((size) => size ?? 1);
  const count = dims.reduce((product, size) => product * size, 1);
  const data = Float32Array.from({ length: count }, (_, at) => at / Math.max(1, count - 1));
  const feed = floatTensor(input.type === 'float16' ? 'float16' : 'float32', dims, data);
  const { provider, notices, outputs } = await session.run({ [input.name]: feed }, signal);
  return { provider, notices, values: getFloats(outputs[output.name]) };
}

interface Compared {
  readonly providers: readonly string[];
  readonly times: readonly ProviderTimes[];
  readonly listed: readonly number[];
}

/** Parts of the runtime as a worker of the product uses them, with a test's replacement for the catalogue. */
const PARTS = {
  /**
   * Reads weights.
   * @returns the SHA-256 of the bytes, and all progress reports
   */
  readWeights(
    card: WeightCard,
    urls: readonly string[],
    isKept: boolean,
    onProgress: ReportProgress,
  ): Promise<Outcome<{ readonly sha256: string; readonly shown: readonly number[] }>> {
    return toOutcome(async () => {
      const shown: number[] = [];
      const show: ReportProgress = (progress) => {
        shown.push(progress.fraction);
        onProgress(progress);
      };
      const sources = urls.map((url) => fetchSource(new URL(url).host, url, 'no-store'));
      const folder = isKept ? await openWeightFolder() : null;
      const store = new WebWeightStore({ folder, getSources: () => sources });
      return { sha256: await getSha256(await store.read(card, { signal, onProgress: show })), shown };
    });
  },

  async listWeights(): Promise<Record<string, number>> {
    const folder = await openWeightFolder();
    return Object.fromEntries((await folder?.list()) ?? []);
  },

  /**
   * Predicts with the model of an id, whose graph lies at `url`.
   * @returns its matte
   */
  predict(
    id: string,
    url: string,
    picture: FloatImage,
    device: InferenceDevice,
  ): Promise<Outcome<Inferred<Float32Array>>> {
    return toOutcome(async () => {
      const network = MATTE_MODELS.find(({ card }) => card.id === id);
      if (!network) throw new Error(`${id}: no such network`);
      const inference = new WebInference({ weights: weightsAt(url), device });
      const { provider, notices, matte } = await inference.use(network.card, { signal }, (session) =>
        predictMatte(network, session, picture, { signal }),
      );
      return { provider, notices, values: matte.data };
    });
  },

  /** Runs a graph of one input and one output twice, optionally with the GPU device lost in between. */
  infer(
    card: WeightCard,
    url: string,
    device: InferenceDevice,
    { losesGpu }: { readonly losesGpu: boolean },
  ): Promise<Outcome<readonly Inferred<Float32Array>[]>> {
    return toOutcome(() =>
      new WebInference({ weights: weightsAt(url), device }).use(card, { signal }, async (session) => {
        const runs = [await ramp(session)];
        if (losesGpu)
          (await (await loadOnnx('webgpu', 1, { signal, onProgress: () => {} })).env.webgpu.device).destroy();
        runs.push(await ramp(session));
        return runs;
      }),
    );
  },

  /**
   * Runs a model on a device with a GPU, compares its providers, and opens it again.
   * @returns the provider of each run, the times that were kept, and how many models there were to compare, before and
   *   after
   */
  compareProviders(card: WeightCard, url: string, device: InferenceDevice): Promise<Outcome<Compared>> {
    return toOutcome(async () => {
      const kept = new Map<string, ProviderTimes>();
      const times: ProviderTimesStore = {
        find: async ({ sha256 }) => kept.get(sha256) ?? null,
        keep: async ({ sha256 }, found) => void kept.set(sha256, found),
      };
      const open = () => new WebInference({ weights: weightsAt(url), device, times });
      const getProvider = (inference: WebInference) =>
        inference.use(card, { signal }, async (session) => (await ramp(session)).provider);
      const first = open();
      const before = [await getProvider(first), await getProvider(first)];
      const runs = await first.listUncompared(0);
      for (const run of runs) await first.compare(run, signal);
      const left = await first.listUncompared(0);
      return {
        providers: [...before, await getProvider(open())],
        times: [...kept.values()],
        listed: [runs.length, left.length],
      };
    });
  },

  /**
   * Opens a model.
   * @returns the URLs of the responses that the browser compiled a program from while they arrived
   */
  listPrograms(card: WeightCard, url: string, device: InferenceDevice): Promise<Outcome<readonly string[]>> {
    return toOutcome(async () => {
      const urls: string[] = [];
      const { instantiateStreaming } = WebAssembly;
      WebAssembly.instantiateStreaming = async (source, imports) => {
        const response = await source;
        urls.push(response.url);
        return instantiateStreaming(response, imports);
      };
      const inference = new WebInference({ weights: weightsAt(url), device });
      await inference.use(card, { signal }, async () => {});
      WebAssembly.instantiateStreaming = instantiateStreaming;
      return urls;
    });
  },

  /**
   * Runs models one after the other.
   * @returns the ids of those that had to be opened, and all progress reports
   */
  runInTurn(
    networks: readonly { readonly card: WeightCard; readonly url: string }[],
    device: InferenceDevice,
  ): Promise<Outcome<{ readonly opened: readonly string[]; readonly shown: readonly number[] }>> {
    return toOutcome(async () => {
      const [opened, shown]: [string[], number[]] = [[], []];
      const urls = new Map(networks.map(({ card, url }) => [card.id, url]));
      const weights: WeightSource = {
        has: async () => true,
        read(card, options) {
          opened.push(card.id);
          return weightsAt(urls.get(card.id) ?? '').read(card, options);
        },
      };
      const inference = new WebInference({ weights, device });
      const onProgress: ReportProgress = ({ fraction }) => void shown.push(fraction);
      for (const { card } of networks) await inference.use(card, { signal, onProgress }, ramp);
      return { opened, shown };
    });
  },
};

export type Parts = typeof PARTS;

expose(PARTS);
