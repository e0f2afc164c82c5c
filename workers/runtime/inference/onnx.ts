import { ASSETS } from '../assets.ts';

/** The builds of onnxruntime-web: `webgpu` can do what `wasm` can, and is twice as large. */
export type OnnxBuild = 'webgpu' | 'wasm';

export type Onnx = typeof import('onnxruntime-web/webgpu');

/** Threads that do not start within this time never will. The file may still have to be downloaded. */
const START_TIMEOUT_MS = 120_000;

const loaded = new Map<OnnxBuild, Promise<Onnx>>();

/**
 * Loads a build when it is first asked for. Each is a program of its own, so that one still works when the other has
 * failed to start.
 * @param threadCount counts at the first call only
 */
export function loadOnnx(build: OnnxBuild, threadCount: number): Promise<Onnx> {
  const loading = loaded.get(build) ?? load(build, threadCount);
  loaded.set(build, loading);
  return loading;
}

async function load(build: OnnxBuild, threadCount: number): Promise<Onnx> {
  const onnx: Onnx = await (build === 'webgpu'
    ? import('onnxruntime-web/webgpu')
    : import('onnxruntime-web/wasm'));
  onnx.env.logLevel = 'fatal';
  onnx.env.wasm.numThreads = threadCount;
  onnx.env.wasm.initTimeout = START_TIMEOUT_MS;
  const { url } = build === 'webgpu' ? ASSETS.onnxWebgpu : ASSETS.onnxWasm;
  onnx.env.wasm.wasmPaths = { wasm: url };
  return onnx;
}
