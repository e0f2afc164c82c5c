import type { ImageFormat } from '../../models/media/image/formats.ts';
import type { OperationId } from '../../models/registry.ts';

/** Probed capabilities of this device. */
export interface Capabilities {
  /** Null with the reason in `gpuMissing` when there is no usable one. */
  readonly gpu: GpuFacts | null;
  readonly gpuMissing: string | null;
  /** Logical cores; WebAssembly can use them together only on a cross-origin isolated page. */
  readonly coreCount: number;
  readonly isIsolated: boolean;
  /** Rounded by the browser and at most 8 or so; null where it is not reported. */
  readonly memoryGb: number | null;
  /** Whether the origin has a private file system for models. */
  readonly hasFileStore: boolean;
  /** Formats that the browser decodes itself, animations included. */
  readonly imageDecoders: readonly ImageFormat[];
  /** Formats that the browser encodes itself. */
  readonly imageEncoders: readonly ImageFormat[];
  /** Entries of `VIDEO_CODECS` with a decoder, and with an encoder. */
  readonly videoDecoders: readonly string[];
  readonly videoEncoders: readonly string[];
}

export interface GpuFacts {
  /** As far as the browser reports: vendor, architecture, device. */
  readonly name: string;
  readonly hasFloat16: boolean;
  readonly bufferBytesMax: number;
}

/** Location where an operation would run, with the reason. */
export interface Placement {
  readonly where: 'device' | 'partly' | 'server';
  readonly reason: string;
}

const HERE: Placement = { where: 'device', reason: 'Runs here.' };

/** Placements that depend on the device's capabilities. */
const PLACEMENTS: Readonly<Partial<Record<OperationId, (capabilities: Capabilities) => Placement>>> = {
  'media-convert-image': ({ isIsolated, imageDecoders }) => {
    if (!isIsolated) {
      const reason =
        'Runs here, except for writing HEIC: its encoder needs threads, which this page may not use.';
      return { where: 'partly', reason };
    }
    const reason = imageDecoders.length
      ? "Runs here, with the browser's own codecs where it has them."
      : "Runs here, more slowly: this browser doesn't expose its image decoders, so codecs in WebAssembly do the work.";
    return { where: 'device', reason };
  },
  'remove-bg': ({ gpu, isIsolated }) => {
    if (gpu) return { where: 'device', reason: 'Runs here, on the GPU.' };
    const reason = isIsolated
      ? 'Runs here, on the CPU, since WebGPU finds no usable GPU.'
      : 'Runs here, more slowly: on one CPU thread, since this page may not use more.';
    return { where: 'device', reason };
  },
};

/** Predicts where an operation would run on a device like this. */
export function placementOf(operationId: OperationId, capabilities: Capabilities): Placement {
  return PLACEMENTS[operationId]?.(capabilities) ?? HERE;
}
