import { proxy, type Remote, wrap } from 'comlink';
import type { InferenceDevice } from '../../../models/core/runtime/inference-device.ts';
import type { ReportProgress } from '../../../models/core/runtime/progress.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { UPSCALE_WEIGHTS } from '../../../models/operations/upscale/weights.ts';
import type { OperationId } from '../../../models/registry.ts';
import type { Outcome } from '../../../workers/bridge/protocol.ts';
import { getPlacement } from '../../../workers/device/placement.ts';
import { probeCapabilities } from '../../../workers/device/probe-capabilities.ts';
import { probeDevice } from '../../../workers/device/probe-device.ts';
import { inWorker } from '../../../workers/one-shot/one-shot.ts';
import { prepareRun, type RunOptions, runOperation } from '../../../workers/operation/run-operation.ts';
import {
  type ProviderTimes,
  storedProviderTimes,
} from '../../../workers/runtime/inference/provider-times.ts';
import { blobToBase64 } from './base64.ts';
import type { Encoders } from './encoders.worker.ts';
import type { Inferred, PageOutcome } from './outcome.ts';
import type { Parts } from './parts.worker.ts';

/** Fetches a file, runs an operation on it through the bridge, and returns plain data that can leave the page. */
async function operate(
  operationId: OperationId,
  url: string,
  params: object,
  options: RunOptions = {},
): Promise<PageOutcome> {
  const file = await (await fetch(url)).blob();
  try {
    const { files, engine, warnings, details = {} } = await runOperation(operationId, file, params, options);
    const [output] = files;
    if (!output) throw new Error('no output');
    const base64 = await blobToBase64(output.blob);
    return { ok: true, mediaType: output.mediaType, engine, warnings, details, base64 };
  } catch (thrown) {
    const { name, message, code } = thrown as Error & { code: string };
    return { ok: false, name, code, message };
  }
}

const convert = (url: string, params: object, options?: RunOptions) =>
  operate('media-convert-image', url, params, options);

/** Calls one of the parts in a worker that is terminated afterwards. */
async function inParts<Result>(call: (parts: Remote<Parts>) => Promise<Result>): Promise<Result> {
  const worker = new Worker(new URL('./parts.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await call(wrap<Parts>(worker));
  } finally {
    worker.terminate();
  }
}

/**
 * Reads weights.
 * @param endAt terminates the worker at this fraction, and returns null
 */
function readWeights(
  card: WeightCard,
  urls: readonly string[],
  { isKept = true, endAt = 2 }: { isKept?: boolean; endAt?: number } = {},
): Promise<Awaited<ReturnType<Parts['readWeights']>> | null> {
  return inParts((parts) => {
    return new Promise((resolve, reject) => {
      const onProgress: ReportProgress = ({ fraction }) => {
        if (fraction >= endAt) resolve(null);
      };
      parts.readWeights(card, urls, isKept, proxy(onProgress)).then(resolve, reject);
    });
  });
}

const listWeights = () => inParts((parts) => parts.listWeights());

/**
 * Predicts a matte.
 * @param rgb interleaved, 0 to 1
 */
function predict(
  id: string,
  url: string,
  { width, height, rgb }: { width: number; height: number; rgb: readonly number[] },
  device: InferenceDevice,
): Promise<Outcome<Inferred<string>>> {
  const picture = { width, height, channels: 3, data: Float32Array.from(rgb) };
  return inParts<Outcome<Inferred<string>>>(async (parts) => {
    const predicted = await parts.predict(id, url, picture, device);
    return predicted.ok ? { ok: true, value: await portable(predicted.value) } : predicted;
  });
}

function infer(...given: Parameters<Parts['infer']>): Promise<Outcome<Inferred<string>[]>> {
  return inParts<Outcome<Inferred<string>[]>>(async (parts) => {
    const inferred = await parts.infer(...given);
    return inferred.ok ? { ok: true, value: await Promise.all(inferred.value.map(portable)) } : inferred;
  });
}

function compareProviders(
  ...given: Parameters<Parts['compareProviders']>
): Promise<Awaited<ReturnType<Parts['compareProviders']>>> {
  return inParts(async (parts) => await parts.compareProviders(...given));
}

/**
 * Compares the fast enlarging network in the product's own worker, as if it had run on a GPU for a time.
 * @param endAfterMs ends the comparison this long after its beginning
 * @returns the times that are kept afterwards
 */
async function compareKept(side: number, gpuMs: number, endAfterMs?: number): Promise<ProviderTimes | null> {
  const card = UPSCALE_WEIGHTS['upscale-fast-x2'];
  const data = new Float32Array(3 * side * side).fill(0.5);
  const feeds = { image: { type: 'float32', dims: [1, 3, side, side], data } } as const;
  const signal = endAfterMs === undefined ? new AbortController().signal : AbortSignal.timeout(endAfterMs);
  const runs = [{ card, fastestMs: gpuMs, feeds, wanted: undefined }];
  await inWorker('compareProviders', [runs], { signal }).catch(() => {});
  return storedProviderTimes.find(card);
}

function listPrograms(
  ...given: Parameters<Parts['listPrograms']>
): Promise<Awaited<ReturnType<Parts['listPrograms']>>> {
  return inParts(async (parts) => await parts.listPrograms(...given));
}

function serialize(
  ...given: Parameters<Parts['runInTurn']>
): Promise<Awaited<ReturnType<Parts['runInTurn']>>> {
  return inParts(async (parts) => await parts.runInTurn(...given));
}

let encoders: Remote<Encoders> | undefined;

/**
 * Encodes opaque RGBA samples by the browser's x265 at its own setting, in a persistent worker.
 * @returns the file as base64
 */
async function encodeAt(
  url: string,
  size: { width: number; height: number },
  setting: number,
): Promise<string> {
  encoders ??= wrap<Encoders>(
    new Worker(new URL('./encoders.worker.ts', import.meta.url), { type: 'module' }),
  );
  return blobToBase64(await encoders.encode(url, size, setting));
}

/** Returns the numbers in base64. */
async function portable({ values, ...rest }: Inferred<Float32Array>): Promise<Inferred<string>> {
  return { ...rest, values: await blobToBase64(new Blob([new Float32Array(values)])) };
}

Object.assign(globalThis, {
  readWeights,
  listWeights,
  predict,
  infer,
  compareProviders,
  compareKept,
  listPrograms,
  runInTurn: serialize,
  encodeAt,
  convert,
  operate,
  run: runOperation,
  prepareRun,
  probeCapabilities,
  probeDevice,
  getPlacement,
});
