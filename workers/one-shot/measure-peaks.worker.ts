import { expose } from 'comlink';
import { PeakMeter } from '../../models/kernels/audio/peaks.ts';
import { toOutcome } from '../bridge/protocol.ts';
import { createWebRuntime } from '../runtime/web-runtime.ts';
import type { PeaksWorker } from './measure-peaks.ts';

/** Lowest rate of the codec: a drawing shows no more. */
const SAMPLE_RATE = 8000;

const worker: PeaksWorker = {
  measure: (file) =>
    toOutcome(async () => {
      const { signal } = new AbortController();
      const { audio } = createWebRuntime({ attachments: new Map(), signal, onProgress: () => {} });
      const opened = await audio.decode(file, { sampleRate: SAMPLE_RATE, channelCount: 1, signal });
      const meter = new PeakMeter(SAMPLE_RATE);
      for await (const [samples] of opened.chunks()) if (samples) meter.add(samples);
      return meter.finish();
    }),
};

expose(worker);
