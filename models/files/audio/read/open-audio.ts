import type { InputAudioTrack } from 'mediabunny';
import type { Placement } from '../../../kernels/audio/place-pieces.ts';
import { OperationError } from '../../../operation/errors.ts';
import type { AudioContainer, AudioFacts, AudioProbeOptions } from '../../../runtime/audio-facts.ts';
import { assertNotEmpty } from '../../bytes/assert-not-empty.ts';
import { audioContainerOf, SIGNATURE_BYTES } from '../formats/audio-container.ts';
import { ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import { declaredShare } from '../formats/declared-share.ts';
import { dropPartialPage } from '../formats/drop-partial-page.ts';
import { readKilohertzFlac } from '../formats/flac.ts';
import type { RawAudio } from '../formats/raw-audio.ts';
import { unknownFormat } from '../formats/unknown-format.ts';
import { DECODER_DELAY, readLameTag } from '../mp3/lame-tag.ts';
import { measureMp3End } from '../mp3/measure-mp3-end.ts';
import { measureEnd, TICK_SECONDS } from './measure-end.ts';
import { type OpenedTracks, openTracks, wrapReadErrors } from './open-tracks.ts';
import { readRawAudio } from './read-raw-audio.ts';

/** Probed file that is ready to be decoded. */
export interface OpenedAudio extends Placement {
  readonly facts: AudioFacts;
  /** Track for decoders of packets; null for containers and codecs that only FFmpeg reads. */
  readonly track: InputAudioTrack | null;
  /** End of decoding: the measured length, plus an allowance for the container's rounding. */
  readonly endSeconds: number;
  /** Whether the container declares more than the packets that are in the file. */
  readonly isCutOff: boolean;
}

/**
 * Sample rates in Hz of real recordings. Beyond them a file is damaged, or built to make the resampler's filter huge.
 */
const SAMPLE_RATE_MIN = 1_000;
const SAMPLE_RATE_MAX = 768_000;
/** More channels than any recording has: each chunk holds all of them. */
const CHANNELS_MAX = 64;
const MEDIA_TYPES: Readonly<Record<AudioContainer, readonly [audio: string, video: string]>> = {
  mp3: ['audio/mpeg', 'audio/mpeg'],
  wav: ['audio/wav', 'audio/wav'],
  flac: ['audio/flac', 'audio/flac'],
  ogg: ['audio/ogg', 'video/ogg'],
  aac: ['audio/aac', 'audio/aac'],
  mp4: ['audio/mp4', 'video/mp4'],
  mov: ['audio/mp4', 'video/quicktime'],
  webm: ['audio/webm', 'video/webm'],
  mkv: ['audio/x-matroska', 'video/x-matroska'],
  asf: ['audio/x-ms-wma', 'video/x-ms-wmv'],
  amr: ['audio/amr', 'audio/amr'],
  aiff: ['audio/aiff', 'audio/aiff'],
  ac3: ['audio/ac3', 'audio/ac3'],
  w64: ['audio/x-w64', 'audio/x-w64'],
  au: ['audio/basic', 'audio/basic'],
  caf: ['audio/x-caf', 'audio/x-caf'],
  mp2: ['audio/mpeg', 'audio/mpeg'],
  dts: ['audio/vnd.dts', 'audio/vnd.dts'],
  truehd: ['audio/vnd.dolby.mlp', 'audio/vnd.dolby.mlp'],
  mpegts: ['video/mp2t', 'video/mp2t'],
  mpeg: ['video/mpeg', 'video/mpeg'],
  avi: ['video/x-msvideo', 'video/x-msvideo'],
  flv: ['video/x-flv', 'video/x-flv'],
  tta: ['audio/x-tta', 'audio/x-tta'],
  ape: ['audio/x-ape', 'audio/x-ape'],
  wavpack: ['audio/x-wavpack', 'audio/x-wavpack'],
};

/** Difference between declared and measured length that is not yet a missing end, in seconds and as a share. */
const MISSING_SECONDS = 0.1;
const MISSING_SHARE = 0.01;
/** Longer than any packet of WMA. */
const LAST_PACKET_SECONDS = 1;

/**
 * Recognizes a file by its bytes and measures its audio from headers and packets; nothing is decoded. It runs in the
 * web process at request time as well as in both runtimes. Lengths are those of the packets that are in the file, not
 * those that a header claims. It accepts untrusted bytes: `openTracks` bounds what is read.
 * @throws OperationError `bad_request` when the file has no audio, is of no known format, damaged, too large or too
 * long
 */
export async function openAudio(file: Blob, options: AudioProbeOptions): Promise<OpenedAudio> {
  const { bytesMax = Number.POSITIVE_INFINITY, secondsMax = Number.POSITIVE_INFINITY, signal } = options;
  if (file.size > bytesMax) {
    const megabytes = (bytes: number) => `${Math.ceil(bytes / 100_000) / 10} MB`;
    throw new OperationError(
      'bad_request',
      `The file has ${megabytes(file.size)}. At most ${megabytes(bytesMax)} are allowed.`,
    );
  }
  assertNotEmpty(file, 'audio file');
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const container = audioContainerOf(head);
  if (!container) {
    throw unknownFormat(head);
  }
  const bytes = new ByteReader(file, signal);
  const raw = await readRawAudio(container, bytes, secondsMax);
  const flac = container === 'flac' ? await readKilohertzFlac(bytes) : null;
  const opened = flac
    ? openRaw(container, flac.raw, isMissing(flac.declaredSeconds, flac.raw.durationSeconds))
    : raw
      ? openRaw(container, raw, raw.isCutOff || (await declaresMore(container, bytes)))
      : await openPackets(file, container, bytes, signal);
  assertLength(opened.facts.durationSeconds, secondsMax);
  return opened;
}

/** Returns the facts about a file's audio. @throws OperationError as `openAudio` */
export async function probeAudio(file: Blob, options: AudioProbeOptions = {}): Promise<AudioFacts> {
  return (await openAudio(file, options)).facts;
}

async function declaresMore(container: AudioContainer, bytes: ByteReader): Promise<boolean> {
  const hasLength = container === 'aiff' || container === 'wav' || container === 'avi';
  return hasLength && (await declaredShare(bytes, container)) > 1 + MISSING_SHARE;
}

function openRaw(container: AudioContainer, raw: RawAudio, isCutOff: boolean): OpenedAudio {
  const facts = factsOf(container, raw);
  const endSeconds = raw.durationSeconds + (container === 'asf' ? LAST_PACKET_SECONDS : 0);
  // Frames without times of their own: FFmpeg makes up some in rounded ticks, which drift.
  const isCounted = container !== 'asf' && !raw.isTimed;
  return { facts, track: null, delaySeconds: -(raw.startSeconds ?? 0), isCounted, endSeconds, isCutOff };
}

async function openPackets(
  file: Blob,
  container: AudioContainer,
  bytes: ByteReader,
  signal: AbortSignal | undefined,
): Promise<OpenedAudio> {
  const present = container === 'ogg' ? await dropPartialPage(file) : file;
  const tracks = await openTracks(present, container, signal);
  const { audio, hasVideo } = tracks;
  if (!audio) throw await missingAudioError(tracks);
  const measured = await wrapReadErrors(async () => ({
    codec: (await audio.getCodec()) ?? internalName(await audio.getInternalCodecId()),
    sampleRate: await audio.getSampleRate(),
    channelCount: await audio.getNumberOfChannels(),
    endSeconds: (container === 'mp3' ? await measureMp3End(bytes) : null) ?? (await measureEnd(audio)),
  }));
  const { delaySeconds, paddingSeconds, isCounted } = await wrapReadErrors(() =>
    declaredPadding(audio, container, bytes),
  );
  const declaredSeconds = await wrapReadErrors(() =>
    declaredEnd(tracks, container, measured.endSeconds, bytes),
  );
  tracks.unbind();
  const { endSeconds, ...format } = measured;
  const durationSeconds = endSeconds - paddingSeconds;
  const isKnown = (await audio.getCodec()) !== null;
  return {
    facts: factsOf(container, { ...format, durationSeconds, hasVideo }),
    track: isKnown ? audio : null,
    delaySeconds,
    isCounted,
    endSeconds: durationSeconds + (isMatroska(container) ? TICK_SECONDS : 0),
    isCutOff: present.size < file.size || isMissing(declaredSeconds, endSeconds),
  };
}

/** Reports whether an end is missing that a header declares. */
function isMissing(declaredSeconds: number, measuredSeconds: number): boolean {
  return declaredSeconds - measuredSeconds > Math.max(MISSING_SECONDS, MISSING_SHARE * declaredSeconds);
}

/** Reads the end of the audio that headers declare; 0 where they declare none. */
async function declaredEnd(
  { input, audio, hasVideo }: OpenedTracks,
  container: AudioContainer,
  measuredSeconds: number,
  bytes: ByteReader,
): Promise<number> {
  if (container === 'wav') return measuredSeconds * (await declaredShare(bytes, container));
  // Matroska declares the length of all tracks together.
  if (!audio || (isMatroska(container) && hasVideo)) return 0;
  if (container === 'mp3' && !(await readLameTag(bytes))) return 0;
  return (await input.getDurationFromMetadata([audio])) ?? 0;
}

/**
 * Creates the error for a file without audio. One without any track was cut off before its header, which may be last.
 */
async function missingAudioError({ input }: OpenedTracks): Promise<OperationError> {
  if ((await input.getTracks()).length === 0) return damagedAudio('it has no header');
  return new OperationError('bad_request', 'The file has no audio. Send a file with an audio track.', {
    kind: 'no_audio',
  });
}

interface DeclaredPadding extends Placement {
  /** Length to subtract from the end of the last packet. */
  readonly paddingSeconds: number;
}

/** Reads the padding before and after the audio from tags beside the packets. */
async function declaredPadding(
  audio: InputAudioTrack,
  container: AudioContainer,
  bytes: ByteReader,
): Promise<DeclaredPadding> {
  const tag = container === 'mp3' ? await readLameTag(bytes) : null;
  if (tag) {
    const sampleRate = await audio.getSampleRate();
    const delaySeconds = (tag.delaySamples + DECODER_DELAY) / sampleRate;
    const paddingSeconds = (tag.delaySamples + tag.paddingSamples) / sampleRate;
    return { delaySeconds, paddingSeconds, isCounted: false };
  }
  const isOpus = (await audio.getCodec()) === 'opus';
  const delaySeconds = isOpus && (isMatroska(container) || container === 'ogg') ? await opusDelay(audio) : 0;
  // mediabunny counts the delay in the end of an Ogg file, and shortens the first packets by it.
  const isCounted = container === 'ogg' && isOpus;
  return { delaySeconds, paddingSeconds: isCounted ? 0 : delaySeconds, isCounted };
}

function isMatroska(container: AudioContainer): boolean {
  return container === 'webm' || container === 'mkv';
}

/**
 * Reads the pre-skip of the identification header, in samples at 48 kHz: RFC 7845, 5.1. Matroska does not count it in
 * its times.
 */
async function opusDelay(audio: InputAudioTrack): Promise<number> {
  const description = (await audio.getDecoderConfig())?.description as
    | ArrayBufferView
    | ArrayBuffer
    | undefined;
  if (!description || description.byteLength < 12) return 0;
  const isView = ArrayBuffer.isView(description);
  const head = isView ? new DataView(description.buffer, description.byteOffset) : new DataView(description);
  return head.getUint16(10, true) / 48_000;
}

function internalName(id: string | number | Uint8Array | null): string | null {
  return typeof id === 'string' ? id.trim() : id === null ? null : String(id);
}

function factsOf(
  container: AudioContainer,
  measured: Omit<RawAudio, 'codec'> & { codec: string | null },
): AudioFacts {
  const { codec, sampleRate, channelCount, durationSeconds, hasVideo } = measured;
  if (!(sampleRate >= SAMPLE_RATE_MIN && sampleRate <= SAMPLE_RATE_MAX)) {
    throw damagedAudio(`its sample rate of ${sampleRate} Hz is out of range`);
  }
  if (!(channelCount >= 1 && channelCount <= CHANNELS_MAX)) {
    throw damagedAudio(`its number of channels, ${channelCount}, is out of range`);
  }
  const [audioType, videoType] = MEDIA_TYPES[container];
  const mediaType = hasVideo ? videoType : audioType;
  return { container, mediaType, codec, sampleRate, channelCount, durationSeconds, hasVideo };
}

function assertLength(seconds: number, secondsMax: number): void {
  if (!(seconds > 0 && Number.isFinite(seconds))) throw damagedAudio('it holds no samples');
  if (seconds <= secondsMax) return;
  const hours = (value: number) =>
    value >= 3600 ? `${(value / 3600).toFixed(1)} hours` : `${Math.round(value)} s`;
  throw new OperationError(
    'bad_request',
    `The audio lasts ${hours(seconds)}. At most ${hours(secondsMax)} are allowed.`,
  );
}
