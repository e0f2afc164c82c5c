import type { AudioContainer, AudioFacts, AudioProbeOptions } from '../../../core/runtime/audio-codec.ts';
import { WHOLE_CLOCK } from '../../../kernels/track-clock.ts';
import { ByteReader, damagedAudio } from '../../bytes/byte-reader.ts';
import { readKilohertzFlac } from '../formats/flac.ts';
import type { RawAudio } from '../formats/raw-audio.ts';
import type { AudioPart } from '../repair/audio-part.ts';
import { declaresMore, isMissing } from './declared-end.ts';
import type { FoundParts } from './find-parts.ts';
import { isUnreadable, openPackets } from './open-packets.ts';
import { assertLength, getFacts, type OpenedPart, type PartOptions } from './opened-part.ts';
import { readRawAudio } from './read-raw-audio.ts';

/** Difference between a length by times and one by bytes that bit rates explain. */
const LEAD_SECONDS = 5;
/** Probed file that is ready to be decoded. */
export interface OpenedAudio {
  readonly facts: AudioFacts;
  /** Parts of the audio, in order: one for most files, several for chained, joined and damaged ones. */
  readonly links: readonly AudioLink[];
  /** Whether the container declares more than the packets that are in the file. */
  readonly isCutOff: boolean;
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
  { container, parts, isCutOff }: FoundParts,
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
  };
}

async function openPart(
  { file, position, lostBytes = 0 }: AudioPart,
  container: AudioContainer,
  options: PartOptions,
): Promise<OpenedPart> {
  const { secondsMax, signal, trackNumber = 1 } = options;
  const bytes = new ByteReader(file, signal);
  const raw = await readRawAudio(file, container, bytes, { secondsMax, trackNumber, signal });
  const flac = container === 'flac' ? await readKilohertzFlac(bytes) : null;
  if (flac) {
    const isCutOff = isMissing(flac.declaredSeconds, flac.raw.durationSeconds);
    return openRaw(file, container, flac.raw, isCutOff);
  }
  if (!raw)
    return await openPackets(file, container, bytes, {
      ...options,
      isContinued: position !== 'next' || lostBytes > 0,
    });
  const isCutOff = raw.isCutOff || (await declaresMore(container, bytes));
  return openRaw(file, container, raw, isCutOff);
}

function openRaw(file: Blob, container: AudioContainer, raw: RawAudio, isCutOff: boolean): OpenedPart {
  const facts = { ...getFacts(container, raw), ...(raw.track && { track: raw.track }) };
  const endSeconds = raw.durationSeconds + (container === 'asf' ? LAST_PACKET_SECONDS : 0);
  // Frames without times of their own: FFmpeg makes up some in rounded ticks, which drift.
  const isCounted = !raw.isTimed;
  return {
    file,
    facts,
    openTrack: async () => ({ track: null, file }),
    delaySeconds: -(raw.startSeconds ?? 0),
    isCounted,
    clock: WHOLE_CLOCK,
    endSeconds,
    channelMask: raw.channelMask ?? null,
    isCutOff,
    firstSeconds: raw.firstSeconds ?? 0,
  };
}

/**
 * Returns the length of the damage before a part: by its own times, unless its clock begins elsewhere. Then it is that
 * of its share of the bytes.
 */
function leadingDamage(
  { file, lostBytes = 0 }: AudioPart,
  { facts, firstSeconds }: Pick<OpenedPart, 'facts' | 'firstSeconds'>,
): number {
  const expected = (lostBytes / file.size) * facts.durationSeconds;
  const isFar = Math.abs(firstSeconds - expected) > LEAD_SECONDS + expected;
  if (lostBytes === 0) return 0;
  return isFar ? expected : firstSeconds;
}
