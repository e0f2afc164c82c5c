import { PeakMeter, type Peaks } from '../kernels/audio/peaks.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Lowest rate of the codec: a drawing shows no more. */
const SAMPLE_RATE = 8000;

/**
 * Decodes the audio of a file and measures its peaks.
 * @throws OperationError `bad_request` or `unprocessable` for the file; `unavailable` when the runtime cannot decode it
 */
export async function decodePeaks(
  file: Blob,
  { audio, signal }: Pick<Runtime, 'audio' | 'signal'>,
): Promise<Peaks> {
  const decoded = await audio.decode(file, { sampleRate: SAMPLE_RATE, channelCount: 1, signal });
  const meter = new PeakMeter(SAMPLE_RATE);
  for await (const [samples] of decoded.chunks()) if (samples) meter.add(samples);
  return meter.finish();
}
