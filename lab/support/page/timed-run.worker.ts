import { ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import { onnxProvider } from '../../../workers/runtime/inference/onnx-provider.ts';
import { createWebRuntime } from '../../../workers/runtime/web-runtime.ts';
import { type RunRequest, type Spans, timeRun } from './run-spans.ts';

/**
 * Runs an operation as a worker of the product does, on WebAssembly, and returns the timings of each run.
 */
async function timeFormats({ operation, modelUrl, photoUrl, engine, formats }: RunRequest): Promise<Spans[]> {
  const { signal } = new AbortController();
  const readWeights = async () => new Uint8Array(await (await fetch(modelUrl)).arrayBuffer());
  const threadCount = navigator.hardwareConcurrency;
  const wasm = { name: 'wasm', build: 'wasm', executionProvider: 'wasm', threadCount, readWeights } as const;
  const session = await ProviderChain.open([onnxProvider(wasm)], signal);
  const photo = await (await fetch(photoUrl)).blob();
  const runtime = createWebRuntime({ attachments: new Map(), signal, onProgress: () => {} });
  const clock = () => ({ wallMs: performance.now() });
  const spans: Spans[] = [];
  for (const format of formats) {
    spans.push(await timeRun(runtime, { operation, session, engine, format, photo, clock }));
  }
  return spans;
}

addEventListener('message', ({ data }: MessageEvent<RunRequest>) => {
  timeFormats(data).then(postMessage, (thrown) => postMessage(String(thrown)));
});
