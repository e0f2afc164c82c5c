import type {
  AudioSource,
  EncodedPacket,
  InputAudioTrack,
  AudioCodec as MediaAudioCodec,
  Output,
} from 'mediabunny';
import { OperationError } from '../../core/operation/errors.ts';
import type { AudioCodec, DecodedAudio, HeardTrack } from '../../core/runtime/audio-codec.ts';
import { formatWarning, type RunWarning, WarningSet } from '../../core/runtime/run-warnings.ts';
import type { VideoEncodeOptions, VideoFormat } from '../../core/runtime/video-codec.ts';
import type { PlayedStretch } from '../../kernels/track-clock.ts';
import { CODED_PEAK, lowerLoudAudio } from '../audio/lower-loud-audio.ts';
import { readClock } from '../containers/read-clock.ts';
import { getPackets, openInput } from './open-input.ts';

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
  readonly codec: MediaAudioCodec;
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
 * Encodes audio with the device's codecs at `AUDIO_SAMPLE_RATE`.
 * @param codecs in order of preference
 * @returns null when the device can write none of them
 */
export type AudioTranscoder = (
  audio: DecodedAudio,
  codecs: readonly AudioTargetCodec[],
  format: VideoFormat,
) => Promise<(AudioFeed & { readonly codec: AudioTargetCodec }) | null>;

/** Codecs of a device for the audio of a video. */
export interface AudioTrackCodecs {
  /** Reads the audio of any file, as all operations on audio do. */
  readonly decodeAudio: AudioCodec['decode'];
  readonly transcodeAudio: AudioTranscoder;
}

/** The audio track of a video that is being written. */
export interface AudioTrackWriter {
  /** Returns warnings about what became of the audio; complete once all of it is written. */
  readonly warnings: () => readonly RunWarning[];
  /** Writes the audio up to a time, so that it is interleaved with the frames. */
  feed(untilSeconds: number): Promise<void>;
  /** Writes the rest. */
  finish(): Promise<void>;
}

/**
 * Adds the audio of another file, if it has any, to an output that has not been started: copied where the format holds
 * its codec, and it is whole and played in one piece, else re-encoded. Both keep the place of each sound, gaps
 * included. Audio that cannot be read is left out, with a warning. Of several tracks it adds the one that operations on
 * audio hear.
 */
export async function addAudioTrack(
  options: VideoEncodeOptions,
  output: Output,
  codecs: AudioTrackCodecs,
): Promise<AudioTrackWriter> {
  const { signal } = options;
  if (!options.soundFrom) return silence();
  const { soundFrom } = options;
  const { input, damages } = await openInput(soundFrom);
  const tracks = await input.getAudioTracks();
  const usual = await input.getPrimaryAudioTrack();
  if (!usual) return silence();
  try {
    const heard = tracks.length > 1 ? await findHeardTrack({ ...options, soundFrom }, codecs) : null;
    const track = tracks.find(({ number }) => number === heard?.number) ?? usual;
    const isWhole = damages.length === 0;
    const { feed, warnings } = await openFeed(track, { ...options, soundFrom, isWhole }, codecs);
    if (!feed) return silence(...warnings());
    output.addAudioTrack(feed.source, { languageCode: await track.getLanguageCode() });
    const dropped = heard
      ? [formatWarning('dropped_tracks', String(heard.count), String(heard.number), heard.label)]
      : [];
    return getWriter(feed, signal, () => [...new WarningSet([...dropped, ...warnings()])]);
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    return silence(formatWarning('unreadable_audio', thrown.message));
  }
}

interface OpenedFeed {
  /** Null when the device cannot convert the audio. */
  readonly feed: AudioFeed | null;
  readonly warnings: () => readonly RunWarning[];
}

async function openFeed(
  track: InputAudioTrack,
  {
    soundFrom,
    isWhole,
    format,
    signal,
  }: VideoEncodeOptions & { readonly soundFrom: Blob; readonly isWhole: boolean },
  { decodeAudio, transcodeAudio }: AudioTrackCodecs,
): Promise<OpenedFeed> {
  const codec = await track.getCodec();
  const isHeld = codec !== null && HELD[format].includes(codec);
  const [stretch, ...others] = await readClock(soundFrom, track);
  if (isHeld && isWhole && stretch && others.length === 0) {
    return { feed: await packetFeed(await storedPackets(track, stretch), format), warnings: () => [] };
  }
  const name = codec ?? 'its codec';
  const channelCount = (await track.getNumberOfChannels()) === 1 ? 1 : 2;
  const shape = { sampleRate: AUDIO_SAMPLE_RATE, channelCount, signal } as const;
  const decoded = await decodeAudio(soundFrom, shape).catch((thrown: unknown) => {
    if (thrown instanceof OperationError && thrown.code === 'unavailable') return null;
    throw thrown;
  });
  const lowered = decoded && (await lowerLoudAudio(decoded, signal, undefined, CODED_PEAK));
  const feed = lowered && (await transcodeAudio(lowered.audio, TARGETS[format], format));
  if (!feed) return { feed: null, warnings: () => [formatWarning('unconverted_audio', name, format)] };
  const { audio } = lowered;
  const channels = audio.facts.channelCount;
  const changed = [
    ...(isHeld ? [] : [formatWarning('reencoded_audio', feed.codec, format, name)]),
    ...(channels > 2 ? [formatWarning('downmixed_audio', String(channels))] : []),
    ...lowered.warnings,
  ];
  return { feed, warnings: () => [...changed, ...audio.warnings()] };
}

/** Finds the track that operations on audio hear; null where this device cannot tell. */
async function findHeardTrack(
  { soundFrom, signal }: VideoEncodeOptions & { readonly soundFrom: Blob },
  { decodeAudio }: AudioTrackCodecs,
): Promise<HeardTrack | null> {
  const shape = { sampleRate: AUDIO_SAMPLE_RATE, channelCount: 1, signal } as const;
  const audio = await decodeAudio(soundFrom, shape).catch((thrown: unknown) => {
    if (thrown instanceof OperationError) return null;
    throw thrown;
  });
  return audio?.facts.track ?? null;
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

/** Returns the packets of a stretch, at their times on the clock of the file. */
async function storedPackets(
  track: InputAudioTrack,
  { fromSeconds, toSeconds, startSeconds }: PlayedStretch,
): Promise<AudioPackets> {
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
  if (!codec || !decoderConfig)
    throw new OperationError('unprocessable', 'Its configuration is damaged.', { kind: 'damaged' });
  async function* packets(): AsyncGenerator<EncodedPacket> {
    let reachedSeconds = Number.NEGATIVE_INFINITY;
    for await (const packet of getPackets(track)) {
      const { timestamp, duration } = packet;
      if (timestamp >= toSeconds) return;
      // No container holds audio that goes back in time.
      if (timestamp + duration <= fromSeconds || timestamp < reachedSeconds) continue;
      reachedSeconds = timestamp;
      yield packet.clone({ timestamp: timestamp - fromSeconds + startSeconds });
    }
  }
  return { codec, decoderConfig, packets: packets() };
}

/** Returns null before the start. Only MP4 lets players begin within a packet. */
function writtenTime(
  { timestamp, duration }: Pick<EncodedPacket, 'timestamp' | 'duration'>,
  format: VideoFormat,
): number | null {
  if (timestamp + duration <= 0) return null;
  return format === 'mp4' ? timestamp : Math.max(0, timestamp);
}

function getWriter(
  { writeNext }: AudioFeed,
  signal: AbortSignal,
  warnings: AudioTrackWriter['warnings'],
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
  return { warnings: () => warnings, feed: async () => {}, finish: async () => {} };
}
