import type { InputAudioTrack } from 'mediabunny';
import type { Placement } from '../../../kernels/audio/place-pieces.ts';
import type { TimeSpan } from '../../../kernels/audio/speech-regions.ts';
import { endOfClock, shiftClock, WHOLE_CLOCK } from '../../../kernels/timing/track-clock.ts';
import { OperationError } from '../../../operation/errors.ts';
import type { AudioContainer, AudioFacts, AudioProbeOptions } from '../../../runtime/audio-facts.ts';
import { assertBoundedDecoding } from '../../containers/assert-bounded-decoding.ts';
import { repairFragments } from '../../containers/repair-fragments.ts';
import { hasDamagedAsfPackets } from '../formats/asf.ts';
import { ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import { declaredShare } from '../formats/declared-share.ts';
import { readKilohertzFlac } from '../formats/flac.ts';
import type { RawAudio } from '../formats/raw-audio.ts';
import { measureMp3End } from '../mp3/measure-mp3-end.ts';
import type { AudioPart } from '../parts/audio-part.ts';
import { repairAvi } from '../repair/repair-avi.ts';
import { repairMatroska } from '../repair/repair-matroska.ts';
import { assertLength, factsOf } from './audio-facts.ts';
import { declaredEnd, declaresMore, isMissing } from './declared-end.ts';
import { isMatroska, readPlacement } from './declared-placement.ts';
import { describeTrack } from './describe-track.ts';
import { dropPartialEnd } from './drop-partial-end.ts';
import type { FoundParts } from './find-parts.ts';
import { readIsoMask } from './iso-layout.ts';
import { leadingDamage } from './leading-damage.ts';
import { type MeasuredEnd, measureEnd, TICK_SECONDS } from './measure-end.ts';
import { type OpenedTracks, openTracks, wrapReadErrors } from './open-tracks.ts';
import { readChannelCount, readChannelMask } from './read-channel-mask.ts';
import { readRawAudio } from './read-raw-audio.ts';

/** Probed file that is ready to be decoded. */
export interface OpenedAudio {
  readonly facts: AudioFacts;
  /** Parts of the audio, in order: one for most files, several for chained, joined and damaged ones. */
  readonly links: readonly AudioLink[];
  /** Whether the container declares more than the packets that are in the file. */
  readonly isCutOff: boolean;
  /** Bytes behind the audio that were not read, where they are many. */
  readonly restBytes: number;
}

/** Part of a file that is decoded from start to end. */
export interface AudioLink extends OpenedLink {
  /** Start on the clock of the file. */
  readonly startSeconds: number;
  /** Whether what lies between it and the part before was lost. */
  readonly isAfterDamage: boolean;
}

/** Track of a link. */
export interface LinkTrack {
  /** Track for decoders of packets; null for containers and codecs that only FFmpeg reads. */
  readonly track: InputAudioTrack | null;
  /** Bytes of the part, in which damage of the container is repaired. */
  readonly file: Blob;
  /** Whether damaged packets were left out, so that gaps between the others are damage. */
  readonly isRepaired: boolean;
  /** Whether nothing before the first of the others was left out. Defaults to false. */
  readonly isStartWhole?: boolean;
  /** Silence that stands in the file in place of damaged bytes, in seconds of the track. Defaults to none. */
  readonly silence?: readonly TimeSpan[];
}

interface OpenedLink extends Placement {
  /** Bytes of the part, a file of its own. */
  readonly file: Blob;
  readonly facts: AudioFacts;
  readonly openTrack: () => Promise<LinkTrack>;
  /** End of decoding: the measured length, plus an allowance for the container's rounding. */
  readonly endSeconds: number;
  /** Speakers of the channels; null where headers do not say it. */
  readonly channelMask: number | null;
  readonly isCutOff: boolean;
  /** Time of the first packet. */
  readonly firstSeconds: number;
}

/** Codecs whose samples have the order of channels that their container states. */
const PLAIN_CODECS = /^(pcm|[au]law)/;
/** Longer than any packet of WMA. */
const LAST_PACKET_SECONDS = 1;

/**
 * Measures the audio of a file from headers and packets, and places its parts one after the other; nothing is decoded.
 * It runs in the web process at request time as well as in both runtimes. Lengths are those of the packets that are in
 * the file, not those that a header claims. It accepts untrusted bytes: `openTracks` bounds what is read.
 * @throws OperationError `bad_request` when the file has no audio, is damaged or too long, `unprocessable` when its
 * edit list goes back in time too often
 */
export async function openParts(
  { container, parts, isCutOff, restBytes = 0 }: FoundParts,
  { secondsMax = Number.POSITIVE_INFINITY, signal, trackNumber }: AudioProbeOptions,
): Promise<OpenedAudio> {
  const options: PartOptions = { secondsMax, signal, trackNumber };
  const links: AudioLink[] = [];
  let [endSeconds, chainStart, chainFirst] = [0, 0, 0];
  for (const part of parts) {
    const { position } = part;
    const link = await openPart(part, container, options).catch((thrown: unknown) => {
      // Other parts can be heard without one that cannot.
      if (parts.length > 1 && isUnreadable(thrown)) return null;
      throw thrown;
    });
    if (!link) continue;
    const lostSeconds = leadingDamage(part, link);
    if (position === 'next') [chainStart, chainFirst] = [endSeconds + lostSeconds, link.firstSeconds];
    const placed = position === 'own-times' ? chainStart + link.firstSeconds - chainFirst : chainStart;
    const wanted = typeof position === 'number' ? chainStart + position : placed;
    // Decoding plays all of a part, also of one whose times lie within the part before it: so its length counts.
    const startSeconds = Math.max(endSeconds, wanted);
    links.push({ ...link, startSeconds, isAfterDamage: position !== 'next' || lostSeconds > 0 });
    endSeconds = startSeconds + link.facts.durationSeconds;
  }
  const [first] = links;
  if (!first) throw damagedAudio('it holds no samples');
  assertLength(endSeconds, secondsMax);
  const isEndMissing = links.at(-1)?.isCutOff ?? false;
  return {
    facts: { ...first.facts, durationSeconds: endSeconds },
    links,
    isCutOff: isCutOff || isEndMissing,
    restBytes,
  };
}

function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof OperationError && (thrown.kind === 'damaged' || thrown.kind === 'no_audio');
}

interface PartOptions {
  readonly secondsMax: number;
  readonly signal: AbortSignal | undefined;
  readonly trackNumber: number | undefined;
}

async function openPart(
  { file, position, lostBytes = 0, isDamaged = false }: AudioPart,
  container: AudioContainer,
  options: PartOptions,
): Promise<OpenedLink> {
  const { secondsMax, signal, trackNumber = 1 } = options;
  const bytes = new ByteReader(file, signal);
  const raw = await readRawAudio(container, bytes, { secondsMax, trackNumber });
  const flac = container === 'flac' ? await readKilohertzFlac(bytes) : null;
  if (flac) {
    const isCutOff = isMissing(flac.declaredSeconds, flac.raw.durationSeconds);
    return openRaw(file, container, flac.raw, { isCutOff });
  }
  if (!raw)
    return await openPackets(file, container, bytes, {
      ...options,
      isContinued: position !== 'next' || lostBytes > 0,
    });
  const isCutOff = raw.isCutOff || (await declaresMore(container, bytes));
  // Its header states the whole length.
  const share = container === 'avi' ? await declaredShare(bytes, container) : 1;
  const present = { ...raw, durationSeconds: raw.durationSeconds / share };
  return openRaw(file, container, present, { isCutOff, isDamaged });
}

function openRaw(
  file: Blob,
  container: AudioContainer,
  raw: RawAudio,
  { isCutOff, isDamaged = false }: { readonly isCutOff: boolean; readonly isDamaged?: boolean },
): OpenedLink {
  const facts = { ...factsOf(container, raw), ...(raw.track && { track: raw.track }) };
  const endSeconds = raw.durationSeconds + (container === 'asf' ? LAST_PACKET_SECONDS : 0);
  // Frames without times of their own: FFmpeg makes up some in rounded ticks, which drift.
  const isCounted = container !== 'asf' && !raw.isTimed;
  return {
    file,
    facts,
    openTrack: async () => ({
      track: null,
      file,
      isRepaired: isDamaged,
      ...(await repairRaw(file, container, raw.track?.number ?? 1)),
    }),
    delaySeconds: -(raw.startSeconds ?? 0),
    isCounted,
    clock: WHOLE_CLOCK,
    endSeconds,
    channelMask: raw.channelMask ?? null,
    isCutOff,
    firstSeconds: raw.firstSeconds ?? 0,
  };
}

/** Repairs damage that only decoding has to know: it reads all of a file. */
async function repairRaw(
  file: Blob,
  container: AudioContainer,
  trackNumber: number,
): Promise<Partial<LinkTrack>> {
  if (container === 'avi') return await repairAvi(file, trackNumber);
  if (container !== 'asf') return {};
  return { isRepaired: await hasDamagedAsfPackets(new ByteReader(file)) };
}

interface PacketOptions extends PartOptions {
  readonly isContinued: boolean;
}

/** Opens a container of packets. Where damage keeps it from being read, it is repaired first. */
async function openPackets(
  file: Blob,
  container: AudioContainer,
  bytes: ByteReader,
  options: PacketOptions,
): Promise<OpenedLink> {
  const present = await dropPartialEnd(file, container);
  const isShort = present.size < file.size;
  const opened = await openPresent(present, container, bytes, options).catch(async (thrown: unknown) => {
    const repaired =
      isMatroska(container) && isUnreadable(thrown) ? await repairMatroska(present, options.signal) : present;
    if (repaired === present) throw thrown;
    const link = await openPresent(repaired, container, bytes, options);
    return { ...link, openTrack: async () => ({ ...(await link.openTrack()), isRepaired: true }) };
  });
  return { ...opened, isCutOff: opened.isCutOff || isShort };
}

async function openPresent(
  present: Blob,
  container: AudioContainer,
  bytes: ByteReader,
  { signal, trackNumber, isContinued }: PacketOptions,
): Promise<OpenedLink> {
  const tracks = await openTracks(present, container, { signal, trackNumber });
  const { audio, audioCount, hasVideo } = tracks;
  if (!audio) throw await missingAudioError(tracks);
  const measured = await wrapReadErrors(async () => ({
    codec: (await audio.getCodec()) ?? internalName(await audio.getInternalCodecId()),
    sampleRate: await sampleRateOf(audio),
    channelCount: await readChannelCount(audio),
    ...(await endOf(audio, container, bytes)),
  }));
  const { paddingSeconds, ...placement } = await wrapReadErrors(() =>
    readPlacement(audio, container, present, bytes, isContinued),
  );
  const { endSeconds, isCutOff, ...format } = measured;
  assertBoundedDecoding(placement.clock, endSeconds);
  const isIso = container === 'mp4' || container === 'mov';
  const isoMask = isIso ? await readIsoMask(present, audio.id) : null;
  const codecMask = await wrapReadErrors(() => readChannelMask(audio, container, bytes));
  // Decoders put the channels of other codecs in an order of their own.
  const channelMask = codecMask ?? (PLAIN_CODECS.test(measured.codec ?? '') ? isoMask : null);
  const declaredSeconds = await wrapReadErrors(() => declaredEnd(tracks, container, endSeconds, bytes));
  const durationSeconds = endOfClock(placement.clock, endSeconds - paddingSeconds);
  const isKnown = (await audio.getCodec()) !== null;
  const track = audioCount > 1 ? await wrapReadErrors(() => describeTrack(audio, audioCount)) : null;
  tracks.input.dispose();
  return {
    file: present,
    facts: { ...factsOf(container, { ...format, durationSeconds, hasVideo }), ...(track && { track }) },
    openTrack: () => reopenTrack(present, container, { signal, trackNumber, isKnown }),
    ...placement,
    // FFmpeg's demuxer places packets itself, from the first sample on.
    clock: isKnown ? placement.clock : shiftClock(WHOLE_CLOCK, placement.clock[0]?.startSeconds ?? 0),
    channelMask,
    endSeconds: durationSeconds + (isMatroska(container) ? TICK_SECONDS : 0),
    isCutOff: isCutOff || isMissing(declaredSeconds, endSeconds),
  };
}

async function endOf(
  audio: InputAudioTrack,
  container: AudioContainer,
  bytes: ByteReader,
): Promise<MeasuredEnd> {
  const endSeconds = container === 'mp3' ? await measureMp3End(bytes) : null;
  return endSeconds === null ? await measureEnd(audio) : { endSeconds, isCutOff: false };
}

/**
 * Opens a probed track once more, without the limits of probing: decoding reads all of the file. So damage within the
 * container is repaired here only.
 */
async function reopenTrack(
  file: Blob,
  container: AudioContainer,
  { isKnown, ...options }: Pick<PartOptions, 'signal' | 'trackNumber'> & { readonly isKnown: boolean },
): Promise<LinkTrack> {
  const isIso = container === 'mp4' || container === 'mov';
  const mend = isMatroska(container) ? repairMatroska : isIso ? repairFragments : null;
  const repaired = mend ? await mend(file, options.signal) : file;
  const isRepaired = repaired !== file;
  if (!isKnown) return { track: null, file: repaired, isRepaired };
  const { audio, unbind } = await openTracks(repaired, container, options);
  unbind();
  // Fragments are only repaired behind the first one.
  return { track: audio, file: repaired, isRepaired, isStartWhole: isIso };
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

/** Reads the rate. That of TrueHD in MP4 is a whole number, where mediabunny reads one with a fraction. */
async function sampleRateOf(audio: InputAudioTrack): Promise<number> {
  const rate = await audio.getSampleRate();
  return (await audio.getInternalCodecId()) === 'mlpa' ? Math.round(rate * 65_536) : rate;
}

function internalName(id: string | number | Uint8Array | null): string | null {
  return typeof id === 'string' ? id.trim() : id === null ? null : String(id);
}
