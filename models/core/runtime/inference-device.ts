import type { WeightCard } from './weight-card.ts';

/** Resources of a device for models. */
export interface InferenceDevice {
  /** Null without a GPU that WebGPU may use. */
  readonly gpu: { readonly hasFloat16: boolean } | null;
  /** Threads for WebAssembly: 1 where threads may not share memory. */
  readonly threadCount: number;
  /** Memory limits of a session in WebAssembly and on the GPU. */
  readonly wasmBytesMax: number;
  readonly gpuBytesMax: number;
}

/** Facts that a browser reports about its device. */
export interface ReportedDevice extends Pick<InferenceDevice, 'gpu'> {
  readonly coreCount: number;
  /** Whether threads may share memory. */
  readonly isIsolated: boolean;
  /** Rounded by the browser; null where it reports none. */
  readonly memoryGb: number | null;
}

/** More threads gain little, and the page and other runs need cores too. */
const THREADS_MAX = 4;
/** Assumed memory for browsers that do not report it: that of a common phone. */
const UNKNOWN_MEMORY_GB = 4;
/** A tab gets about half of a device's memory; a GPU shares it on most devices and has its own on others. */
export const TAB_SHARE = 0.5;
const GPU_SHARE = 0.75;
/** WebAssembly addresses memory with 32 bits. */
const WASM_BYTES_MAX = 4_000_000_000;

/** Estimates what a device has for models. */
export function getInferenceDevice({
  gpu,
  coreCount,
  isIsolated,
  memoryGb,
}: ReportedDevice): InferenceDevice {
  const memoryBytes = (memoryGb ?? UNKNOWN_MEMORY_GB) * 1e9;
  return {
    gpu,
    threadCount: isIsolated ? Math.min(THREADS_MAX, coreCount) : 1,
    wasmBytesMax: Math.min(WASM_BYTES_MAX, memoryBytes * TAB_SHARE),
    gpuBytesMax: memoryBytes * GPU_SHARE,
  };
}

export function fitsGpu({ precision, memoryBytes }: WeightCard, device: InferenceDevice): boolean {
  const { gpu, gpuBytesMax } = device;
  return gpu !== null && (precision !== 'fp16' || gpu.hasFloat16) && memoryBytes <= gpuBytesMax;
}

/** Estimates WebAssembly memory: it has no 16-bit floats and computes in 32 bits. */
export function fitsWasm({ memoryBytes }: WeightCard, { wasmBytesMax }: InferenceDevice): boolean {
  return memoryBytes <= wasmBytesMax;
}

/** Reports whether WebAssembly can hold the model on no device. */
export function needsGpu({ memoryBytes }: WeightCard): boolean {
  return memoryBytes > WASM_BYTES_MAX;
}
