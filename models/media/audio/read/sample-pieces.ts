import type { AudioSample, InputAudioTrack } from 'mediabunny';
import { OperationError } from '../../../core/operation/errors.ts';
import { getFrameCount, type PcmChunk, type PcmPiece } from '../../../core/runtime/audio-codec.ts';
import { damagedSilence } from '../../../kernels/audio/silence.ts';

/** Frame sizes at 48 kHz by the configuration in a packet's first byte: RFC 6716, 3.1. */
const SILK = [480, 960, 1920, 2880];
const HYBRID = [480, 960];
const CELT = [120, 240, 480, 960];

/** Integer formats by the name of their type, with their full scale. */
const INTEGERS = {
  s16: { Samples: Int16Array, fullScale: 2 ** 15 },
  s32: { Samples: Int32Array, fullScale: 2 ** 31 },
} as const;

/** Whether a track is uncompressed, so that it needs no decoder. */
export async function isUncompressed(track: InputAudioTrack): Promise<boolean> {
  return /^(pcm-|ulaw$|alaw$)/.test((await track.getCodec()) ?? '');
}

/** Packets in a row that may fail before the rest counts as lost: each costs a decoder. */
const FAULTS_MAX = 1000;
/** The same at the start: where no packet could be decoded, hardly any other can. */
const FIRST_FAULTS_MAX = 20;
/** Longest gap between packets that stays closed: containers round their times. */
const CLOSED_SECONDS = 0.02;

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
        const first = last ? getEnd(last) : await track.getFirstTimestamp();
        fromSeconds = await nextStart(track, last ? fromSeconds : (fromSeconds ?? first), first);
        if (fromSeconds === null) return;
        break;
      }
      if (last && faults > 0) yield* damagedSilence(last, getEnd(last), piece.timestampSeconds);
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

function getEnd({ timestampSeconds, sampleRate, channels }: PcmPiece): number {
  return timestampSeconds + getFrameCount(channels) / sampleRate;
}

/** Yields decoded pieces and, where decoding fails, the error of the file as the last one. Throws all other errors. */
async function* decodedPieces(
  track: InputAudioTrack,
  fromSeconds: number | null,
): AsyncGenerator<PcmPiece | OperationError> {
  const { AudioSampleSink } = await import('mediabunny');
  const samples = new AudioSampleSink(track).samples(fromSeconds ?? undefined);
  const times = packetTimes(track, fromSeconds);
  let lagSeconds: number | null = null;
  try {
    for (;;) {
      const { value: sample } = await samples.next();
      if (!sample) return;
      const { value: packetSeconds = sample.timestamp } = await times.next();
      const channels = copyChannels(sample);
      const { timestamp, sampleRate } = sample;
      sample.close();
      // Some browsers count samples from the first packet on, whatever times the others have.
      lagSeconds ??= Math.max(0, packetSeconds - timestamp);
      const counted = timestamp + lagSeconds;
      const isBehindGap = packetSeconds > counted + CLOSED_SECONDS;
      yield { timestampSeconds: isBehindGap ? packetSeconds : counted, sampleRate, channels };
    }
  } catch (thrown) {
    const error = toSampleError(thrown);
    if (!(error instanceof OperationError) || error.code !== 'unprocessable') throw error;
    yield error;
  } finally {
    await samples.return();
  }
}

/** Yields the times of the packets that decoders return samples for: for the first one of Vorbis none. */
async function* packetTimes(track: InputAudioTrack, fromSeconds: number | null): AsyncGenerator<number> {
  if (await isUncompressed(track)) return;
  const { EncodedPacketSink } = await import('mediabunny');
  const sink = new EncodedPacketSink(track);
  const options = { metadataOnly: true };
  const first =
    fromSeconds === null ? await sink.getFirstPacket(options) : await sink.getPacket(fromSeconds, options);
  let isSilent = (await track.getCodec()) === 'vorbis';
  for await (const { timestamp } of sink.packets(first ?? undefined, undefined, options)) {
    if (!isSilent) yield timestamp;
    isSilent = false;
  }
}

/**
 * Copies the samples of each channel, in -1 to 1. Integers are divided by their full scale here: some browsers divide
 * positive ones by one less, so that what is lossless came out changed.
 */
function copyChannels(sample: AudioSample): PcmChunk {
  const { format, numberOfChannels, numberOfFrames } = sample;
  const [type, layout] = String(format).split('-');
  const integer = type === 's16' || type === 's32' ? INTEGERS[type] : null;
  return Array.from({ length: numberOfChannels }, (_, channel) => {
    const samples = new Float32Array(numberOfFrames);
    if (!integer) {
      sample.copyTo(samples, { format: 'f32-planar', planeIndex: channel });
      return samples;
    }
    const isPlanar = layout === 'planar';
    const plane = new integer.Samples(isPlanar ? numberOfFrames : numberOfFrames * numberOfChannels);
    sample.copyTo(plane, { format, planeIndex: isPlanar ? channel : 0 });
    const [first, step] = isPlanar ? [0, 1] : [channel, numberOfChannels];
    for (let frame = 0; frame < numberOfFrames; frame++) {
      samples[frame] = (plane[first + frame * step] ?? 0) / integer.fullScale;
    }
    return samples;
  });
}

/** Counts the samples of each channel in an Opus packet, at 48 kHz. */
export function opusPacketFrames([head = 0, count = 0]: Uint8Array): number {
  const config = head >> 3;
  const frame = config < 12 ? SILK[config & 3] : config < 16 ? HYBRID[config & 1] : CELT[config & 3];
  const code = head & 3;
  const frames = code === 0 ? 1 : code === 3 ? count & 63 : 2;
  return frame * frames;
}

/** Converts an error of a decoder to the error of the file. An abort and `unavailable` stay as they are. */
export function toSampleError(cause: unknown): unknown {
  if (cause instanceof Error && cause.name === 'AbortError') return cause;
  if (cause instanceof OperationError && cause.code === 'unavailable') return cause;
  return new OperationError('unprocessable', 'The audio is damaged. Export it again.', {
    kind: 'damaged',
    cause,
  });
}
