/** Resources of this device for models. */
export interface InferenceDevice {
  /** Null without a GPU that WebGPU may use. */
  readonly gpu: { readonly hasFloat16: boolean } | null;
  /** Threads for WebAssembly: 1 where threads may not share memory. */
  readonly threadCount: number;
  /** Memory limits of a session in WebAssembly and on the GPU. */
  readonly wasmBytesMax: number;
  readonly gpuBytesMax: number;
}

/** More threads gain little, and the page and other runs need cores too. */
const THREADS_MAX = 4;
/** Assumed memory for browsers that do not report it: that of a common phone. */
const UNKNOWN_MEMORY_GB = 4;
/** A tab gets about half of a device's memory; a GPU shares it on most devices and has its own on others. */
const WASM_SHARE = 0.5;
const GPU_SHARE = 0.75;
/** WebAssembly addresses memory with 32 bits. */
const WASM_BYTES_MAX = 4_000_000_000;

let probed: Promise<InferenceDevice> | undefined;

/** Asks the browser, once. Never rejects. */
export function inferenceDevice(): Promise<InferenceDevice> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<InferenceDevice> {
  const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
  const { deviceMemory = UNKNOWN_MEMORY_GB } = navigator as Navigator & { readonly deviceMemory?: number };
  const memoryBytes = deviceMemory * 1e9;
  return {
    gpu: adapter ? { hasFloat16: adapter.features.has('shader-f16') } : null,
    threadCount: globalThis.crossOriginIsolated
      ? Math.min(THREADS_MAX, navigator.hardwareConcurrency || 1)
      : 1,
    wasmBytesMax: Math.min(WASM_BYTES_MAX, memoryBytes * WASM_SHARE),
    gpuBytesMax: memoryBytes * GPU_SHARE,
  };
}
