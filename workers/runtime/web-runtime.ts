import { NO_NETWORKS } from '../../models/inference/no-networks.ts';
import type { Runtime } from '../../models/runtime.ts';
import { createImageCodec } from './image-codec/index.ts';
import { createProgressMeter } from './progress-meter.ts';

export interface WebRuntimeOptions {
  readonly signal: AbortSignal;
  /** @param fraction of the run with all it loads, 0 to 1, never falling */
  readonly onProgress: (fraction: number) => void;
}

/** The port of the operations, in a browser worker. */
export function createWebRuntime({ signal, onProgress }: WebRuntimeOptions): Runtime {
  const meter = createProgressMeter(onProgress);
  return {
    images: createImageCodec({ signal, meter }),
    inference: NO_NETWORKS,
    attachments: new Map(),
    signal,
    progress: meter.work,
  };
}
