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

/** Location where an operation would run. */
export interface Placement {
  readonly where: 'device' | 'partly' | 'server';
  /** Absent where it runs on the device as it does on any other. */
  readonly reason?: string;
}

const HERE: Placement = { where: 'device' };

/** Placement of what reads images on a page that is not isolated. */
const NOT_ISOLATED: Placement = {
  where: 'server',
  reason: 'Images need threads, which this page may not use.',
};

/** Placements that depend on the device's capabilities. */
const PLACEMENTS: Readonly<Partial<Record<OperationId, (capabilities: Capabilities) => Placement>>> = {
  'media-convert-image': ({ isIsolated }) => (isIsolated ? HERE : NOT_ISOLATED),
  'remove-bg': ({ gpu, isIsolated }) => {
    if (!isIsolated) return NOT_ISOLATED;
    return { where: 'device', reason: gpu ? 'On the GPU.' : 'On the CPU.' };
  },
};

/** Predicts where an operation would run on a device like this. */
export function getPlacement(operationId: OperationId, capabilities: Capabilities): Placement {
  return PLACEMENTS[operationId]?.(capabilities) ?? HERE;
}
