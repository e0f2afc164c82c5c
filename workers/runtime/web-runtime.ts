import type { Runtime } from '../../models/runtime.ts';
import { createImageCodec } from './image-codec/index.ts';
import { webInference } from './inference/index.ts';
import { createProgressMeter } from './progress-meter.ts';
import { createVideoCodec } from './video/index.ts';

export interface WebRuntimeOptions {
  readonly attachments: ReadonlyMap<string, Blob>;
  readonly signal: AbortSignal;
  /** Of the run with all it loads; never falling. */
  readonly onProgress: Runtime['progress'];
}

/** The port of the operations, in a browser worker. */
export function createWebRuntime({ attachments, signal, onProgress }: WebRuntimeOptions): Runtime {
  const meter = createProgressMeter(onProgress);
  return {
    images: createImageCodec({ signal, meter }),
    video: createVideoCodec(),
    inference: webInference,
    attachments,
    signal,
    progress: meter.work,
  };
}
