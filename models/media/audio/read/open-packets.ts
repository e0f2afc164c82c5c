import type { InputAudioTrack } from 'mediabunny';
import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer } from '../../../core/runtime/audio-facts.ts';
import { endOfClock, shiftClock, WHOLE_CLOCK } from '../../../kernels/timing/track-clock.ts';
import { assertBoundedDecoding } from '../../containers/assert-bounded-decoding.ts';
import { repairFragments } from '../../containers/repair-fragments.ts';
import { type ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import { measureMp3End } from '../mp3/measure-mp3-end.ts';
import { repairMatroska } from '../repair/repair-matroska.ts';
import { factsOf } from './audio-facts.ts';
import { declaredEnd, isMissing } from './declared-end.ts';
import { isMatroska, readPlacement } from './declared-placement.ts';
import { describeTrack } from './describe-track.ts';
import { dropPartialEnd } from './drop-partial-end.ts';
import { readIsoMask } from './iso-layout.ts';
import { type MeasuredEnd, measureEnd, TICK_SECONDS } from './measure-end.ts';
import { type OpenedTracks, openTracks, wrapReadErrors } from './open-tracks.ts';
import type { LinkTrack, OpenedPart, PartOptions } from './opened-part.ts';
import { readChannelCount, readChannelMask } from './read-channel-mask.ts';

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
 * Opens a container of packets. Where damage keeps it from being read, it is repaired first.
 * @throws OperationError `bad_request` when the file has no audio, is damaged or too long
 */
export async function openPackets(
  file: Blob,
  container: AudioContainer,
  bytes: ByteReader,
  options: PacketOptions,
): Promise<OpenedPart> {
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
): Promise<OpenedPart> {
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
