import type { ImageFormat } from '../../models/image-codec.ts';
import type { OperationId } from '../../models/registry.ts';

/** What this device can do, as found by trying. */
export interface Capabilities {
  /** Null with the reason in `gpuMissing` when there is no usable one. */
  readonly gpu: GpuFacts | null;
  readonly gpuMissing: string | null;
  /** Logical cores; WebAssembly can use them together only on an isolated page. */
  readonly coreCount: number;
  readonly isIsolated: boolean;
  /** Rounded by the browser and at most 8 or so; null where it does not tell. */
  readonly memoryGb: number | null;
  /** Whether the origin has a file system of its own for models. */
  readonly hasFileStore: boolean;
  /** Formats that the browser decodes itself, animations included. */
  readonly imageDecoders: readonly ImageFormat[];
  /** Formats that the browser encodes itself. */
  readonly imageEncoders: readonly ImageFormat[];
  /** Of `VIDEO_CODECS`, those with a decoder and those with an encoder. */
  readonly videoDecoders: readonly string[];
  readonly videoEncoders: readonly string[];
}

export interface GpuFacts {
  /** As far as the browser tells: vendor, architecture, device. */
  readonly name: string;
  readonly hasFloat16: boolean;
  readonly bufferBytesMax: number;
}

/** Where an operation would run, and why there. */
export interface Placement {
  readonly where: 'device' | 'partly' | 'server';
  readonly reason: string;
}

const PLACEMENTS: Readonly<Record<OperationId, (capabilities: Capabilities) => Placement>> = {
  'media-convert-image': ({ isIsolated, imageDecoders }) => {
    if (!isIsolated) {
      const reason =
        'Runs here. Only writing HEIC does not: its encoder needs threads, which this page may not have.';
      return { where: 'partly', reason };
    }
    const reason = imageDecoders.length
      ? "Runs here, with the browser's own codecs where it has them."
      : 'Runs here, more slowly: this browser lends its image decoders to no one, so codecs in WebAssembly do the work.';
    return { where: 'device', reason };
  },
  'remove-bg': ({ gpu, isIsolated }) => {
    if (gpu) return { where: 'device', reason: 'Runs here, on the graphics card.' };
    const reason = isIsolated
      ? 'Runs here, on the processor, since WebGPU lends no graphics card.'
      : 'Runs here, more slowly: on one thread of the processor, since this page may not have more.';
    return { where: 'device', reason };
  },
};

/** Where an operation would run on a device like this. */
export function placementOf(operationId: OperationId, capabilities: Capabilities): Placement {
  return PLACEMENTS[operationId](capabilities);
}
