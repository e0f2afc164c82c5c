import type { InputAudioTrack } from 'mediabunny';
import type { PcmPiece } from '../../../runtime/pcm.ts';
import { toSampleError } from './to-sample-error.ts';

/** Whether a track is uncompressed, so that it needs no decoder. */
export async function isUncompressed(track: InputAudioTrack): Promise<boolean> {
  return /^(pcm-|ulaw$|alaw$)/.test((await track.getCodec()) ?? '');
}

/**
 * Reads the samples of an uncompressed track, or of one that the browser decodes.
 * @throws OperationError `unprocessable` when packets are corrupt
 */
export async function* samplePieces(track: InputAudioTrack): AsyncGenerator<PcmPiece> {
  const { AudioSampleSink } = await import('mediabunny');
  const samples = new AudioSampleSink(track).samples();
  try {
    for (;;) {
      const { value: sample } = await samples.next().catch((thrown: unknown) => {
        throw toSampleError(thrown);
      });
      if (!sample) return;
      const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
        const plane = new Float32Array(sample.numberOfFrames);
        sample.copyTo(plane, { format: 'f32-planar', planeIndex });
        return plane;
      });
      const { timestamp, sampleRate } = sample;
      sample.close();
      yield { timestampSeconds: timestamp, sampleRate, channels };
    }
  } finally {
    await samples.return();
  }
}
