import type { InputAudioTrack } from 'mediabunny';
import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer, HeardTrack } from '../../../core/runtime/audio-codec.ts';
import { viewBytes } from '../../../core/view-bytes.ts';
import { endOfClock, shiftClock, WHOLE_CLOCK } from '../../../kernels/track-clock.ts';
import { ByteReader, damagedAudio, printableName } from '../../bytes/byte-reader.ts';
import { ByteWindow } from '../../bytes/byte-window.ts';
import { assertBoundedDecoding } from '../../containers/bounded-reads.ts';
import { type Box, BoxReader, requiredBox } from '../../containers/box-reader.ts';
import { readTrackId } from '../../containers/iso-edits.ts';
import { isLost, mendMatroska } from '../../containers/repair/mend-matroska.ts';
import { readAacMask, readListedChannels } from '../formats/aac.ts';
import { ambisonic } from '../formats/audio-errors.ts';
import { readFlacMask } from '../formats/flac.ts';
import { readWavFormat } from '../formats/wav.ts';
import { LAYOUT_BYTES_MIN, LAYOUT_BYTES_WANTED, readCoreAudioMask } from '../repair/core-audio-layout.ts';
import { measureMp3End } from '../repair/frame-heads.ts';
import { readAc3Mask } from '../repair/raw-frames.ts';
import {
  declaredEnd,
  isMissing,
  type MeasuredEnd,
  measureEnd,
  measureOpusEnd,
  TICK_SECONDS,
} from './declared-end.ts';
import { isMatroska, readPlacement } from './declared-placement.ts';
import { type OpenedTracks, openTracks, wrapReadErrors } from './open-tracks.ts';
import { getFacts, type LinkTrack, type OpenedPart, type PartOptions } from './opened-part.ts';

/** Mapping family of Opus's identification header from which channels have no speakers: RFC 8486. */
const AMBISONIC_FAMILIES = [2, 3];
const FAMILY_AT = 18;
const READS_MAX = 4096;
/** Bytes before the boxes of a sample entry, by the version that QuickTime gives to it: ISO 14496-12, 12.2.3. */
const ENTRY_HEAD_BYTES = [28, 44, 64] as const;
/** Code of an unknown language: ISO 639-2. */
const UNDETERMINED = 'und';
/** Codecs whose samples have the order of channels that their container states. */
const PLAIN_CODECS = /^(pcm|[au]law)/;

/** Reports whether an error says that a part cannot be read, and not that it may not. */
export function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof OperationError && (thrown.kind === 'damaged' || thrown.kind === 'no_audio');
}

interface PacketOptions extends PartOptions {
  readonly isContinued: boolean;
}

/**
 * Opens a container of packets.
 * @throws OperationError `bad_request` when the file has no audio, is damaged or too long
 */
export async function openPackets(
  file: Blob,
  container: AudioContainer,
  bytes: ByteReader,
  options: PacketOptions,
): Promise<OpenedPart> {
  if (!isMatroska(container)) {
    const { trackId: _, ...opened } = await openPresent(file, container, bytes, options);
    return opened;
  }
  const { damages, paddingSeconds, ...mended } = await mendMatroska(file);
  const { trackId, ...opened } = await openPresent(mended.file, container, bytes, options, paddingSeconds);
  return {
    ...opened,
    isCutOff: opened.isCutOff || mended.isCutOff,
    isLost: (from, to) => isLost(damages, trackId, from, to),
  };
}

async function openPresent(
  present: Blob,
  container: AudioContainer,
  bytes: ByteReader,
  { signal, trackNumber, isContinued }: PacketOptions,
  discardedSeconds?: ReadonlyMap<number, number>,
): Promise<OpenedPart & { readonly trackId: number }> {
  const tracks = await openTracks(present, container, { signal, trackNumber });
  const { audio, audioCount, hasVideo } = tracks;
  if (!audio) throw await missingAudioError(tracks, container);
  const isMp2 = await wrapReadErrors(() => isLayer2(audio));
  const measured = await wrapReadErrors(async () => ({
    codec: isMp2 ? 'mp2' : ((await audio.getCodec()) ?? internalName(await audio.getInternalCodecId())),
    sampleRate: await sampleRateOf(audio),
    channelCount: await readChannelCount(audio),
    ...(await getEnd(audio, container, bytes)),
  }));
  const { paddingSeconds, ...placement } = await wrapReadErrors(() =>
    readPlacement(audio, container, present, bytes, isContinued),
  );
  const { isCutOff, ...format } = measured;
  const discarded = isCutOff ? 0 : (discardedSeconds?.get(audio.id) ?? 0);
  const endSeconds = measured.endSeconds - discarded;
  assertBoundedDecoding(placement.clock, endSeconds);
  const isIso = container === 'mp4' || container === 'mov';
  const isoMask = isIso ? await readIsoMask(present, audio.id) : null;
  const codecMask = await wrapReadErrors(() => readChannelMask(audio, container, bytes));
  // Decoders put the channels of other codecs in an order of their own.
  const channelMask = codecMask ?? (PLAIN_CODECS.test(measured.codec ?? '') ? isoMask : null);
  const declaredSeconds = await wrapReadErrors(() => declaredEnd(tracks, container, endSeconds, bytes));
  const durationSeconds = endOfClock(placement.clock, endSeconds - paddingSeconds);
  const isKnown = (await audio.getCodec()) !== null && !isMp2;
  const isExact = await isExactOpus(audio, container);
  const track = audioCount > 1 ? await wrapReadErrors(() => describeTrack(audio, audioCount)) : null;
  tracks.input.dispose();
  return {
    trackId: audio.id,
    file: present,
    facts: { ...getFacts(container, { ...format, durationSeconds, hasVideo }), ...(track && { track }) },
    openTrack: () => reopenTrack(present, container, { signal, trackNumber, isKnown }),
    ...placement,
    // FFmpeg's demuxer places packets itself, from the first sample on.
    clock: isKnown ? placement.clock : shiftClock(WHOLE_CLOCK, placement.clock[0]?.startSeconds ?? 0),
    channelMask,
    endSeconds: durationSeconds + (isMatroska(container) && !isExact ? TICK_SECONDS : 0),
    isCutOff: isCutOff || isMissing(declaredSeconds, endSeconds),
  };
}

/** Reports whether the length of a track is known to the sample, though the times of its container are rounded. */
async function isExactOpus(audio: InputAudioTrack, container: AudioContainer): Promise<boolean> {
  return isMatroska(container) && (await audio.getCodec()) === 'opus';
}

async function getEnd(
  audio: InputAudioTrack,
  container: AudioContainer,
  bytes: ByteReader,
): Promise<MeasuredEnd> {
  if (await isExactOpus(audio, container)) return await measureOpusEnd(audio);
  const endSeconds = container === 'mp3' ? await measureMp3End(bytes) : null;
  return endSeconds === null ? await measureEnd(audio) : { endSeconds, isCutOff: false };
}

/** Opens a probed track once more, without the limits of probing: decoding reads all of the file. */
async function reopenTrack(
  file: Blob,
  container: AudioContainer,
  { isKnown, ...options }: Pick<PartOptions, 'signal' | 'trackNumber'> & { readonly isKnown: boolean },
): Promise<LinkTrack> {
  if (!isKnown) return { track: null, file };
  const { audio, unbind } = await openTracks(file, container, options);
  unbind();
  return { track: audio, file };
}

/**
 * Creates the error for a file without audio. One without any track was cut off before its header, which may be last.
 */
async function missingAudioError(
  { input }: OpenedTracks,
  container: AudioContainer,
): Promise<OperationError> {
  const isStream = container === 'mpegts';
  if (!isStream && (await input.getTracks()).length === 0) return damagedAudio('it has no header');
  const fault = isStream ? 'no audio in AAC, MP3, MP2 or AC-3' : 'no audio';
  return new OperationError('bad_request', `The file has ${fault}. Send a file with an audio track.`, {
    kind: 'no_audio',
  });
}

/** Reports whether a track is MPEG audio of layer II, which mediabunny (1.61) takes for MP3 in a transport stream. */
async function isLayer2(audio: InputAudioTrack): Promise<boolean> {
  if ((await audio.getCodec()) !== 'mp3') return false;
  const { EncodedPacketSink } = await import('mediabunny');
  const packet = await new EncodedPacketSink(audio).getFirstPacket();
  return (((packet?.data[1] ?? 0) >> 1) & 3) === 2;
}

/** Reads the rate. That of TrueHD in MP4 is a whole number, where mediabunny reads one with a fraction. */
async function sampleRateOf(audio: InputAudioTrack): Promise<number> {
  const rate = await audio.getSampleRate();
  return (await audio.getInternalCodecId()) === 'mlpa' ? Math.round(rate * 65_536) : rate;
}

function internalName(id: string | number | Uint8Array | null): string | null {
  return typeof id === 'string' ? id.trim() : id === null ? null : String(id);
}

/** Describes a track among several by its number, name and language. */
async function describeTrack(track: InputAudioTrack, count: number): Promise<HeardTrack> {
  const name = printableName((await track.getName()) ?? '');
  const language = printableName(await track.getLanguageCode());
  const label = [name, language === UNDETERMINED ? '' : language].filter(Boolean).join(', ');
  return { number: track.number, count, label };
}

/**
 * Reads which speakers the channels of a track of an MP4 or MOV file are for, by the `chan` box of QuickTime. Damaged
 * headers are left to other readers.
 * @returns the mask of WAVEFORMATEXTENSIBLE; null where there is none
 * @throws OperationError `bad_request` for ambisonic sound, which the SA3D box of Google's Spatial Audio RFC states,
 * too
 */
export async function readIsoMask(file: Blob, trackId: number): Promise<number | null> {
  const reader = new BoxReader(new ByteWindow(file, { noun: 'video', readsMax: READS_MAX }));
  const boxes = await readEntryBoxes(reader, file.size, trackId).catch((thrown: unknown) => {
    if (thrown instanceof OperationError) return [];
    throw thrown;
  });
  if (boxes.some(({ type }) => type === 'SA3D')) throw ambisonic();
  const chan = boxes.find(({ type }) => type === 'chan');
  if (!chan || chan.end - chan.start < 4 + LAYOUT_BYTES_MIN) return null;
  const body = await reader.view(chan, Math.min(chan.end - chan.start, 4 + LAYOUT_BYTES_WANTED));
  return readCoreAudioMask(new DataView(body.buffer, body.byteOffset + 4, body.byteLength - 4));
}

/** Lists the boxes within the first sample entry of a track. */
async function readEntryBoxes(reader: BoxReader, size: number, trackId: number): Promise<readonly Box[]> {
  const moov = await reader.first('moov', size);
  for (const trak of moov ? await reader.boxes(moov) : []) {
    if (trak.type !== 'trak') continue;
    const inTrak = await reader.boxes(trak);
    if ((await readTrackId(reader, requiredBox(inTrak, 'tkhd'))) !== trackId) continue;
    const minf = await reader.path(requiredBox(inTrak, 'mdia'), 'minf');
    const stbl = await reader.boxes(requiredBox(minf, 'stbl'));
    const stsd = requiredBox(stbl, 'stsd');
    const [entry] = await reader.boxes({ ...stsd, start: stsd.start + 8 });
    if (!entry) return [];
    const headBytes = ENTRY_HEAD_BYTES[(await reader.view(entry, 10)).getUint16(8)] ?? ENTRY_HEAD_BYTES[0];
    const inEntry = await reader.boxes({ ...entry, start: entry.start + headBytes });
    const wave = inEntry.find(({ type }) => type === 'wave');
    return wave ? [...inEntry, ...(await reader.boxes(wave).catch(() => []))] : inEntry;
  }
  return [];
}

/**
 * Reads which speakers the channels of a track are for, as the mask of WAVEFORMATEXTENSIBLE.
 * @returns null where headers do not say it
 * @throws OperationError `bad_request` for ambisonic sound, whose channels are for no speakers
 */
async function readChannelMask(
  track: InputAudioTrack,
  container: AudioContainer,
  bytes: ByteReader,
): Promise<number | null> {
  if ((await readChannelCount(track)) <= 2) return null;
  if (container === 'wav') return (await readWavFormat(bytes))?.channelMask ?? null;
  if (container === 'flac') return await readFlacMask(bytes);
  const codec = await track.getCodec();
  const description = viewBytes((await track.getDecoderConfig())?.description ?? new ArrayBuffer(0));
  if (codec === 'opus' && AMBISONIC_FAMILIES.includes(description[FAMILY_AT] ?? 0)) throw ambisonic();
  if (codec === 'aac' && description.length >= 2) return readAacMask(description);
  if (codec === 'flac') return await readFlacMask(new ByteReader(new Blob([description])));
  if (codec !== 'ac3' && codec !== 'eac3') return null;
  const { EncodedPacketSink } = await import('mediabunny');
  const packet = await new EncodedPacketSink(track).getFirstPacket();
  return packet && readAc3Mask(packet.data);
}

/** Reads the number of channels. MP4 files state two where AAC lists them one by one. */
async function readChannelCount(track: InputAudioTrack): Promise<number> {
  const description =
    (await track.getCodec()) === 'aac' ? (await track.getDecoderConfig())?.description : undefined;
  const listed =
    description && description.byteLength >= 2 ? readListedChannels(viewBytes(description)) : null;
  return listed?.channelCount ?? (await track.getNumberOfChannels());
}
