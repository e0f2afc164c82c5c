import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer, AudioFacts, AudioProbeOptions } from '../../../core/runtime/audio-codec.ts';
import type { TimeSpan } from '../../../kernels/audio/speech-regions.ts';
import { WHOLE_CLOCK } from '../../../kernels/track-clock.ts';
import { hasDamagedAsfPackets } from '../formats/asf.ts';
import { type AviAudio, type AviChunk, readAviLayout } from '../formats/avi.ts';
import { ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import { readKilohertzFlac } from '../formats/flac.ts';
import type { RawAudio } from '../formats/raw-audio.ts';
import type { AudioPart } from '../parts/audio-part.ts';
import {
  type AviGap,
  AviGapFinder,
  estimateLoss,
  getAmount,
  getSum,
  listedChunks,
  NOTHING,
  WRITTEN_MAX,
} from './avi-gaps.ts';
import { declaredShare, declaresMore, isMissing } from './declared-end.ts';
import type { FoundParts } from './find-parts.ts';
import { isUnreadable, openPackets } from './open-packets.ts';
import { assertLength, getFacts, type LinkTrack, type OpenedPart, type PartOptions } from './opened-part.ts';
import { readRawAudio } from './read-raw-audio.ts';

/** Difference between a length by times and one by bytes that bit rates explain. */
const LEAD_SECONDS = 5;
const HEAD_BYTES = 8;
const FILLING_BYTES = 1_000_000;
/** Bytes that decoders of uncompressed codings render as silence, where it is not 0. */
const SILENT_BYTES: Readonly<Record<string, number>> = { pcm_8: 0x80, ulaw: 0xff, alaw: 0xd5 };

/** AVI file whose damaged chunks are replaced by silent ones of the same length. */
interface RepairedAvi {
  readonly file: Blob;
  readonly isRepaired: boolean;
  /** Silence of the track in their place, in seconds of the track's clock. */
  readonly silence: readonly TimeSpan[];
}

/** Probed file that is ready to be decoded. */
export interface OpenedAudio {
  readonly facts: AudioFacts;
  /** Parts of the audio, in order: one for most files, several for chained, joined and damaged ones. */
  readonly links: readonly AudioLink[];
  /** Whether the container declares more than the packets that are in the file. */
  readonly isCutOff: boolean;
  /** Bytes behind the audio that were not read, where they are many. */
  readonly trailingBytes: number;
}

/** Part of a file that is decoded from start to end. */
export interface AudioLink extends OpenedPart {
  /** Start on the clock of the file. */
  readonly startSeconds: number;
  /** Whether what lies between it and the part before was lost. */
  readonly isAfterDamage: boolean;
}

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
  { container, parts, isCutOff, trailingBytes = 0 }: FoundParts,
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
    trailingBytes,
  };
}

async function openPart(
  { file, position, lostBytes = 0, isDamaged = false }: AudioPart,
  container: AudioContainer,
  options: PartOptions,
): Promise<OpenedPart> {
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
): OpenedPart {
  const facts = { ...getFacts(container, raw), ...(raw.track && { track: raw.track }) };
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

/**
 * Replaces the damaged chunks of an AVI file by silence of the same length, so that readers, which count time by chunks
 * and their bytes, keep the place of what follows. What was there is told by the index; without one, by the length that
 * the header states, and by the share of the track in the rest of the file.
 * @param trackNumber audio track, from 1
 * @returns the same file where nothing is damaged
 */
export async function repairAvi(file: Blob, trackNumber: number): Promise<RepairedAvi> {
  const layout = await readAviLayout(new ByteReader(file)).catch((thrown: unknown) => {
    if (thrown instanceof OperationError) return null;
    throw thrown;
  });
  const track = layout?.audio[trackNumber - 1];
  const whole = { file, isRepaired: false, silence: [] };
  if (!layout || !track) return whole;
  const found = await new AviGapFinder(file, layout, track).find();
  if (found.gaps.length === 0) return whole;
  const lost =
    layout.index.length > 0 ? listedChunks(found.gaps, layout.index) : estimateLoss(found, layout, track);
  const silence: TimeSpan[] = [];
  let before = NOTHING;
  for (const [at, gap] of found.gaps.entries()) {
    const start = getSeconds(getSum(gap.before, before), track);
    before = getSum(before, getAmount(lost[at] ?? [], track));
    silence.push({ start, end: getSeconds(getSum(gap.before, before), track) });
  }
  const chunks = found.gaps.flatMap((gap, at) => filled(gap, lost[at] ?? []));
  const filling = new Blob([new Uint8Array(FILLING_BYTES).fill(SILENT_BYTES[track.format.codec] ?? 0)]);
  return { file: patched(file, chunks.slice(0, WRITTEN_MAX), filling), isRepaired: true, silence };
}

/** Adds a chunk of nothing to those of a gap that do not fill it. */
function filled({ start, end }: AviGap, chunks: readonly AviChunk[]): readonly AviChunk[] {
  const last = chunks.at(-1);
  const at = last ? last.at + HEAD_BYTES + last.size + (last.size % 2) : start;
  const size = end - at - HEAD_BYTES;
  return size < 0 ? chunks : [...chunks, { at, id: 'JUNK', size }];
}

function getSeconds({ bytes, chunks }: typeof NOTHING, { bytesASecond, chunkSeconds }: AviAudio): number {
  return bytesASecond > 0 ? bytes / bytesASecond : chunks * chunkSeconds;
}

/** Writes chunks over a file. @param filling bytes of their bodies, which share them: a gap may have gigabytes */
function patched(file: Blob, chunks: readonly AviChunk[], filling: Blob): Blob {
  const parts: Blob[] = [];
  let done = 0;
  for (const { at, id, size } of chunks) {
    const head = new Uint8Array(HEAD_BYTES);
    head.set(new TextEncoder().encode(id));
    new DataView(head.buffer).setUint32(4, size, true);
    const whole = Array<Blob>(Math.floor(size / filling.size)).fill(filling);
    parts.push(file.slice(done, at), new Blob([head]), ...whole, filling.slice(0, size % filling.size));
    done = at + HEAD_BYTES + size;
  }
  return new Blob([...parts, file.slice(done)]);
}

/**
 * Returns the length of the damage before a part: by its own times, unless its clock begins elsewhere. Then it is that
 * of its share of the bytes.
 */
function leadingDamage(
  { file, lostBytes = 0, ...part }: AudioPart,
  { facts, ...link }: Pick<OpenedPart, 'facts' | 'firstSeconds'>,
): number {
  const firstSeconds = part.firstSeconds ?? link.firstSeconds;
  const expected = (lostBytes / file.size) * facts.durationSeconds;
  const isFar = Math.abs(firstSeconds - expected) > LEAD_SECONDS + expected;
  if (lostBytes === 0) return 0;
  return isFar ? expected : firstSeconds;
}
