import type { Acceptances } from '../../models/core/runtime/acceptances.ts';
import type { Inference } from '../../models/core/runtime/inference.ts';
import {
  createProgressMeter,
  type ProgressMeter,
  type ReportDraft,
  type ReportProgress,
} from '../../models/core/runtime/progress.ts';
import type { Runtime } from '../../models/core/runtime/runtime.ts';
import { type DeviceSettings, withSettings } from '../../models/media/image/device-settings.ts';
import { createImageCodec } from './image-codec/index.ts';
import { webInference } from './inference/index.ts';
import { createAudioCodec } from './media/audio-codec.ts';
import { createVideoCodec } from './media/video-codec.ts';

export interface WebRuntimeOptions {
  readonly attachments: ReadonlyMap<string, Blob>;
  readonly settings?: DeviceSettings;
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
  readonly onDraft?: ReportDraft | undefined;
  /** Absent: engines are taken as they come. */
  readonly acceptances?: Acceptances;
}

/** Creates the operations' port in a browser worker. */
export function createWebRuntime({
  attachments,
  settings = {},
  signal,
  onProgress,
  onDraft,
  acceptances,
}: WebRuntimeOptions): Runtime {
  const meter = createProgressMeter(onProgress);
  const audio = createAudioCodec({ signal, meter });
  return {
    images: withSettings(createImageCodec({ signal, meter }), settings),
    audio,
    video: createVideoCodec(audio, { signal, meter }),
    inference: { ...counted(webInference, meter), acceptances: acceptances && shown(acceptances, meter) },
    attachments,
    signal,
    progress: meter.work,
    draft: onDraft,
  };
}

/** Counts model downloads in the run's single progress, as codec downloads are. */
function counted(inference: Inference, meter: ProgressMeter): Inference {
  return {
    availability: (card) => inference.availability(card),
    use: (card, { signal }, work) => inference.use(card, { signal, onProgress: meter.download() }, work),
    read: (card, { signal }) => inference.read(card, { signal, onProgress: meter.download() }),
  };
}

/** Shows the download and the test of a model before its first use as progress of the run that waits for them. */
function shown(acceptances: Acceptances, meter: ProgressMeter): Acceptances {
  return {
    find: (operation, engine) => acceptances.find(operation, engine),
    measure: (operation, engine, { signal }) =>
      acceptances.measure(operation, engine, {
        signal,
        onProgress: ({ loading }) => meter.work({ fraction: 0, step: 'testing the model', loading }),
      }),
  };
}
