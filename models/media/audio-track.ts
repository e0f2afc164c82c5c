import type { AudioCodec, AudioSource, EncodedPacket, InputAudioTrack, Output } from 'mediabunny';
import { OperationError } from '../operation/errors.ts';
import { formatWarning, type RunWarning } from '../runtime/run-warnings.ts';
import type { VideoEncodeOptions, VideoFormat } from '../runtime/video-codec.ts';
import { openInput, packetsOf } from './open-input.ts';

export type AudioTargetCodec = 'aac' | 'opus';

/** Codecs, by the names of WebCodecs' registry, that players of each format expect. */
const HELD: Readonly<Record<VideoFormat, readonly string[]>> = {
  mp4: ['aac', 'mp3', 'opus', 'flac', 'ac3', 'eac3'],
  webm: ['opus', 'vorbis'],
};

/** Target codecs for re-encoded audio, in order of preference: the device writes the first one it can. */
const TARGETS: Readonly<Record<VideoFormat, readonly AudioTargetCodec[]>> = {
  mp4: ['aac', 'opus'],
  webm: ['opus'],
};

/** Opus has no other above 24 kHz, and every player accepts it. */
export const AUDIO_SAMPLE_RATE = 48_000;

/** Packets of an audio track. */
export interface AudioPackets {
  readonly codec: AudioCodec;
  readonly decoderConfig: AudioDecoderConfig;
  readonly packets: AsyncGenerator<EncodedPacket>;
}

/** Audio for an output, a piece at a time. */
export interface AudioFeed {
  readonly source: AudioSource;
  /** Writes the next piece. @returns its start in seconds, or null when there is no more */
  readonly writeNext: () => Promise<number | null>;
}

/**
 * Re-encodes a track with the device's codecs at `AUDIO_SAMPLE_RATE`, mono or stereo.
 * @param codecs in order of preference
 * @returns null when the device lacks a codec for it
 * @throws OperationError `unprocessable` when the track cannot be read
 */
export type AudioTranscoder = (
  track: InputAudioTrack,
  codecs: readonly AudioTargetCodec[],
  format: VideoFormat,
) => Promise<(AudioFeed & { readonly codec: AudioTargetCodec }) | null>;

/** The audio track of a video that is being written. */
export interface AudioTrackWriter {
  /** Warnings about what became of the audio. */
  readonly warnings: readonly RunWarning[];
  /** Writes the audio up to a time, so that it is interleaved with the frames. */
  feed(untilSeconds: number): Promise<void>;
  /** Writes the rest. */
  finish(): Promise<void>;
}

/**
 * Adds the audio of another file, if it has any, to an output that has not been started: copied where the format holds
 * its codec, else re-encoded. Audio that cannot be read is left out, with a warning. Of several tracks it adds the one
 * that players begin with.
 */
export async function addAudioTrack(
  { soundFrom, format, signal }: VideoEncodeOptions,
  output: Output,
  transcode: AudioTranscoder,
): Promise<AudioTrackWriter> {
  const input = soundFrom && (await openInput(soundFrom));
  const track = await input?.getPrimaryAudioTrack();
  if (!input || !track) return silence();
  const dropped = droppedTracks(await input.getAudioTracks());
  try {
    const codec = await track.getCodec();
    const isCopied = codec !== null && HELD[format].includes(codec);
    const coded = isCopied ? null : await transcode(track, TARGETS[format], format);
    if (!isCopied && !coded) {
      return silence(formatWarning('unconverted_audio', codec ?? 'its codec', format));
    }
    const feed = coded ?? (await packetFeed(await storedPackets(track), format));
    output.addAudioTrack(feed.source, { languageCode: await track.getLanguageCode() });
    const changed = coded
      ? [formatWarning('reencoded_audio', coded.codec, format, codec ?? 'its codec')]
      : [];
    return writerOf(feed, signal, [...dropped, ...changed]);
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    return silence(formatWarning('unreadable_audio', thrown.message));
  }
}

function droppedTracks({ length }: readonly InputAudioTrack[]): readonly RunWarning[] {
  return length > 1 ? [formatWarning('dropped_tracks', String(length))] : [];
}

/** Returns a feed that writes packets at their times; those before the start are left out. */
export async function packetFeed(
  { codec, decoderConfig, packets }: AudioPackets,
  format: VideoFormat,
): Promise<AudioFeed> {
  const { EncodedAudioPacketSource } = await import('mediabunny');
  const source = new EncodedAudioPacketSource(codec);
  const writeNext = async () => {
    const { value: packet } = await packets.next();
    if (!packet) return null;
    const timestamp = writtenTime(packet, format);
    if (timestamp !== null) await source.add(packet.clone({ timestamp }), { decoderConfig });
    return packet.timestamp;
  };
  return { source, writeNext };
}

async function storedPackets(track: InputAudioTrack): Promise<AudioPackets> {
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
  if (!codec || !decoderConfig)
    throw new OperationError('unprocessable', 'Its configuration is damaged.', { kind: 'damaged' });
  return { codec, decoderConfig, packets: packetsOf(track) };
}

/** Returns null before the start. Only MP4 lets players begin within a packet. */
function writtenTime(
  { timestamp, duration }: Pick<EncodedPacket, 'timestamp' | 'duration'>,
  format: VideoFormat,
): number | null {
  if (timestamp + duration <= 0) return null;
  return format === 'mp4' ? timestamp : Math.max(0, timestamp);
}

function writerOf(
  { writeNext }: AudioFeed,
  signal: AbortSignal,
  warnings: readonly RunWarning[],
): AudioTrackWriter {
  let writtenSeconds = Number.NEGATIVE_INFINITY;
  const feed = async (untilSeconds: number) => {
    while (writtenSeconds < untilSeconds) {
      signal.throwIfAborted();
      writtenSeconds = (await writeNext()) ?? Number.POSITIVE_INFINITY;
    }
  };
  return { warnings, feed, finish: () => feed(Number.POSITIVE_INFINITY) };
}

/** @param warnings why there is no audio, if there should be some */
function silence(...warnings: readonly RunWarning[]): AudioTrackWriter {
  return { warnings, feed: async () => {}, finish: async () => {} };
}
