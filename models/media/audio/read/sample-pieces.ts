import type { InputAudioTrack } from 'mediabunny';
import { OperationError } from '../../../core/operation/errors.ts';
import { frameCountOf, type PcmPiece } from '../../../core/runtime/pcm.ts';
import { damagedSilence } from '../../../kernels/audio/damaged-silence.ts';
import { copyChannels } from './copy-channels.ts';
import { toSampleError } from './to-sample-error.ts';

/** Whether a track is uncompressed, so that it needs no decoder. */
export async function isUncompressed(track: InputAudioTrack): Promise<boolean> {
  return /^(pcm-|ulaw$|alaw$)/.test((await track.getCodec()) ?? '');
}

/** Packets in a row that may fail before the rest counts as lost: each costs a decoder. */
const FAULTS_MAX = 1000;
/** The same at the start: where no packet could be decoded, hardly any other can. */
const FIRST_FAULTS_MAX = 20;

/**
 * Reads the samples of an uncompressed track, or of one that the browser decodes. A decoder that fails is replaced by
 * another one behind the packet that it failed at; what is lost becomes silence, which is marked.
 * @throws OperationError `unprocessable` when no packet can be decoded, or too many in a row cannot
 */
export async function* samplePieces(track: InputAudioTrack): AsyncGenerator<PcmPiece> {
  let fromSeconds: number | null = null;
  let last: PcmPiece | null = null;
  let faults = 0;
  for (;;) {
    let hasFailed = false;
    for await (const piece of decodedPieces(track, fromSeconds)) {
      if (piece instanceof Error) {
        hasFailed = true;
        if (++faults > (last ? FAULTS_MAX : FIRST_FAULTS_MAX)) throw piece;
        const first = last ? endOf(last) : await track.getFirstTimestamp();
        fromSeconds = await nextStart(track, last ? fromSeconds : (fromSeconds ?? first), first);
        if (fromSeconds === null) return;
        break;
      }
      if (last && faults > 0) yield* damagedSilence(last, endOf(last), piece.timestampSeconds);
      faults = 0;
      last = piece;
      yield piece;
    }
    if (!hasFailed) return;
  }
}

/** Returns where to start again: behind the samples so far, or one packet later where that failed before. */
async function nextStart(
  track: InputAudioTrack,
  failedSeconds: number | null,
  reachedSeconds: number,
): Promise<number | null> {
  if (failedSeconds === null || failedSeconds < reachedSeconds) return reachedSeconds;
  const { EncodedPacketSink } = await import('mediabunny');
  const sink = new EncodedPacketSink(track);
  const failed = await sink.getPacket(failedSeconds, { metadataOnly: true });
  const next = failed && (await sink.getNextPacket(failed, { metadataOnly: true }));
  return next?.timestamp ?? null;
}

function endOf({ timestampSeconds, sampleRate, channels }: PcmPiece): number {
  return timestampSeconds + frameCountOf(channels) / sampleRate;
}

/** Yields decoded pieces and, where decoding fails, the error of the file as the last one. Throws all other errors. */
async function* decodedPieces(
  track: InputAudioTrack,
  fromSeconds: number | null,
): AsyncGenerator<PcmPiece | OperationError> {
  const { AudioSampleSink } = await import('mediabunny');
  const samples = new AudioSampleSink(track).samples(fromSeconds ?? undefined);
  try {
    for (;;) {
      const { value: sample } = await samples.next();
      if (!sample) return;
      const channels = copyChannels(sample);
      const { timestamp, sampleRate } = sample;
      sample.close();
      yield { timestampSeconds: timestamp, sampleRate, channels };
    }
  } catch (thrown) {
    const error = toSampleError(thrown);
    if (!(error instanceof OperationError) || error.code !== 'unprocessable') throw error;
    yield error;
  } finally {
    await samples.return();
  }
}
