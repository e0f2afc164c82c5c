import { ASSETS, type Asset, type AssetOptions, loadResponse } from '../assets.ts';
import '../hold-workers.ts';

/** Responses that have arrived for requests to come, by URL. */
const arrived = new Map<string, Response>();

const request = globalThis.fetch;

const respond: typeof fetch = (input, init) => {
  const response = typeof input === 'string' ? arrived.get(input) : undefined;
  if (!response) return request(input, init);
  arrived.delete(String(input));
  return Promise.resolve(response);
};

/** Builds of onnxruntime-web: `webgpu` includes `wasm`, and is twice as large. */
export type OnnxBuild = 'webgpu' | 'wasm';

export type Onnx = typeof import('onnxruntime-web/webgpu');

const PROGRAMS: Readonly<Record<OnnxBuild, Asset>> = { webgpu: ASSETS.onnxWebgpu, wasm: ASSETS.onnxWasm };

/** Threads that do not start within this time never will. */
const START_TIMEOUT_MS = 120_000;

const loaded = new Map<OnnxBuild, Promise<Onnx>>();

/** Returns the bytes to load before a build can run. */
export function bytesToLoad(build: OnnxBuild): number {
  return loaded.has(build) ? 0 : PROGRAMS[build].bytes;
}

/**
 * Loads a build on first use. Each is a separate module, so that one still works when the other failed to start.
 * @param threadCount counts at the first call only
 * @throws OperationError `unavailable` when it cannot be loaded; the next call tries again
 */
export function loadOnnx(build: OnnxBuild, threadCount: number, options: AssetOptions): Promise<Onnx> {
  const known = loaded.get(build);
  if (known) return known;
  const loading = load(build, threadCount, options);
  loaded.set(build, loading);
  loading.catch(() => loaded.delete(build));
  return loading;
}

async function load(build: OnnxBuild, threadCount: number, options: AssetOptions): Promise<Onnx> {
  const program = PROGRAMS[build];
  const [onnx, response]: [Onnx, Response] = await Promise.all([
    build === 'webgpu' ? import('onnxruntime-web/webgpu') : import('onnxruntime-web/wasm'),
    // The library would load its program itself, without progress.
    loadResponse(program, options),
  ]);
  onnx.env.logLevel = 'fatal';
  onnx.env.wasm.numThreads = threadCount;
  onnx.env.wasm.initTimeout = START_TIMEOUT_MS;
  onnx.env.wasm.wasmPaths = { wasm: program.url };
  answerNextRequest(program.url, response);
  return onnx;
}

/**
 * Responds to the next request for a URL in this worker with a response that has arrived already: for libraries that
 * request their program themselves and take nothing but its URL or its bytes.
 * @param url as the library writes it
 */
function answerNextRequest(url: string, response: Response): void {
  arrived.set(url, response);
  globalThis.fetch = respond;
}
