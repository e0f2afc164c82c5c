import type { OutputFile } from '../../core/operation/run-result.ts';
import { AUDIO_MEDIA_TYPES, type AudioFormat, type DecodedAudio } from '../../core/runtime/audio-codec.ts';
import type { PcmChunk } from '../../core/runtime/pcm.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { fanOut, ReaderStopped } from './fan-out.ts';
import { STEM_RATE } from './stems.ts';

/** Encodes all stems at once, each as a file of its name. */
export async function writeStems(
  stretches: AsyncIterable<readonly PcmChunk[]>,
  names: readonly string[],
  format: AudioFormat,
  { audio, signal }: Pick<Runtime, 'audio' | 'signal'>,
): Promise<OutputFile[]> {
  const channelCount: DecodedAudio['channelCount'] = 2;
  const encoding = fanOut(stretches, names.length).map((chunks) =>
    audio.encode(chunks, { format, sampleRate: STEM_RATE, channelCount, signal }),
  );
  const faults = (await Promise.allSettled(encoding)).filter((each) => each.status === 'rejected');
  const first = faults.find(({ reason }) => !(reason instanceof ReaderStopped)) ?? faults[0];
  if (first) throw first.reason;
  const blobs = await Promise.all(encoding);
  return blobs.map((blob, at) => ({
    name: `${names[at]}.${format}`,
    mediaType: AUDIO_MEDIA_TYPES[format],
    blob: blob.slice(0, blob.size, AUDIO_MEDIA_TYPES[format]),
  }));
}
