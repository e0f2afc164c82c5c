/** What networks can use of this device. */
export interface NetworkDevice {
  /** Null without a graphics card that WebGPU may use. */
  readonly gpu: { readonly hasFloat16: boolean } | null;
  /** For WebAssembly: 1 where threads may not share memory. */
  readonly threadCount: number;
  /** What a session may hold in WebAssembly's memory, and in the graphics card's. */
  readonly wasmBytesMax: number;
  readonly gpuBytesMax: number;
}

/** More gain little, and the page and other runs need cores too. */
const THREADS_MAX = 4;
/** For browsers that do not tell: what a common phone has. */
const UNTOLD_GB = 4;
/** A tab gets about half of a device's memory; a graphics card shares it on most devices and has its own on others. */
const WASM_SHARE = 0.5;
const GPU_SHARE = 0.75;
/** WebAssembly counts bytes in 32 bits. */
const WASM_BYTES_MAX = 4_000_000_000;

let probed: Promise<NetworkDevice> | undefined;

/** Asks the browser, once. Never rejects. */
export function networkDevice(): Promise<NetworkDevice> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<NetworkDevice> {
  const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
  const { deviceMemory = UNTOLD_GB } = navigator as Navigator & { readonly deviceMemory?: number };
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
