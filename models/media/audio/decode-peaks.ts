import type { Runtime } from '../../core/runtime/runtime.ts';
import { PeakMeter, type Peaks } from '../../kernels/audio/peaks.ts';

/** Lowest rate of the codec: a drawing shows no more. */
const SAMPLE_RATE = 8000;

/**
 * Decodes the audio of a file, measures its peaks and reports the share that is decoded.
 * @throws OperationError `bad_request` or `unprocessable` for the file; `unavailable` when the runtime cannot decode it
 */
export async function decodePeaks(
  file: Blob,
  { audio, signal, progress }: Pick<Runtime, 'audio' | 'signal' | 'progress'>,
): Promise<Peaks> {
  const decoded = await audio.decode(file, { sampleRate: SAMPLE_RATE, channelCount: 1, signal });
  const meter = new PeakMeter(SAMPLE_RATE);
  let frames = 0;
  for await (const [samples] of decoded.chunks()) {
    if (!samples) continue;
    meter.add(samples);
    frames += samples.length;
    progress({ fraction: Math.min(1, frames / decoded.frameCount) });
  }
  return meter.finish();
}
