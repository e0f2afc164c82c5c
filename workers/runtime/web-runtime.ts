import type { Inference } from '../../models/inference.ts';
import type { Runtime } from '../../models/runtime.ts';
import { createImageCodec } from './image-codec/index.ts';
import { webInference } from './inference/index.ts';
import { createProgressMeter, type ProgressMeter, type ReportProgress } from './progress-meter.ts';
import { createVideoCodec } from './video/index.ts';

export interface WebRuntimeOptions {
  readonly attachments: ReadonlyMap<string, Blob>;
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/** The port of the operations, in a browser worker. */
export function createWebRuntime({ attachments, signal, onProgress }: WebRuntimeOptions): Runtime {
  const meter = createProgressMeter(onProgress);
  return {
    images: createImageCodec({ signal, meter }),
    video: createVideoCodec(),
    inference: counted(webInference, meter),
    attachments,
    signal,
    progress: meter.work,
  };
}

/** What networks have to load is part of the run's one bar, as what codecs have to load is. */
function counted(inference: Inference, meter: ProgressMeter): Inference {
  return {
    availability: (card) => inference.availability(card),
    use: (card, { signal }, work) => inference.use(card, { signal, onProgress: meter.download() }, work),
  };
}
