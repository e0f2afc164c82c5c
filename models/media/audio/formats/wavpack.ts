import { type ByteReader, damagedAudio } from './byte-reader.ts';
import type { RawAudio } from './raw-audio.ts';

/** In Hz, by the code in a block; 0 for one that another block states. */
const RATES = [
  6000, 8000, 9600, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  192_000, 0,
];
export const WAVPACK_HEAD_BYTES = 32;
/** Longest block, its first 8 bytes aside. */
const BLOCK_BYTES_MAX = 1_048_576;
const MONO = 4;
/** Flags of the first and the last block of samples of one time: each has one or two channels. */
const INITIAL = 0x800;
const FINAL = 0x1000;
/** Number of samples that a file leaves open. */
const UNKNOWN = 0xffff_ffff;

/** Block of a WavPack file (D. Bryant, "WavPack 4 & 5 Binary File / Block Format"). */
export interface WavPackBlock {
  readonly bytes: number;
  /** Position of its first sample; meaningless without samples. */
  readonly index: number;
  readonly samples: number;
  readonly sampleRate: number;
  readonly channelCount: number;
  /** Whether it is the first of those of its time, and the last. */
  readonly isInitial: boolean;
  readonly isFinal: boolean;
  /** Samples of the file, which its first block states; null where that leaves it open. */
  readonly fileSamples: number | null;
}

/** Reads the head of a block; null where there is none. */
export function readWavPackBlock(head: Uint8Array): WavPackBlock | null {
  if (head.length < WAVPACK_HEAD_BYTES) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const [bodyBytes, version] = [view.getUint32(4, true), view.getUint16(8, true)];
  const isKnown = view.getUint32(0) === 0x7776_706b && version >= 0x402 && version <= 0x410;
  if (!isKnown || bodyBytes < WAVPACK_HEAD_BYTES - 8 || bodyBytes > BLOCK_BYTES_MAX) return null;
  const flags = view.getUint32(24, true);
  const fileSamples = view.getUint32(12, true);
  return {
    bytes: bodyBytes + 8,
    index: view.getUint32(16, true) + view.getUint8(10) * 2 ** 32,
    samples: view.getUint32(20, true),
    sampleRate: RATES[(flags >>> 23) & 15] ?? 0,
    channelCount: flags & MONO ? 1 : 2,
    isInitial: (flags & INITIAL) !== 0,
    isFinal: (flags & FINAL) !== 0,
    fileSamples: fileSamples === UNKNOWN ? null : fileSamples + view.getUint8(11) * 2 ** 32,
  };
}

/**
 * Measures a WavPack file by its blocks, up to the first place without one.
 * @throws OperationError `bad_request` when it holds none, or they make no sense
 */
export async function readWavPack(bytes: ByteReader): Promise<RawAudio> {
  let first: WavPackBlock | null = null;
  let [samples, channelCount, isCounted] = [0, 0, false];
  let at = 0;
  for (;;) {
    const block: WavPackBlock | null = readWavPackBlock(await bytes.read(at, WAVPACK_HEAD_BYTES));
    if (!block || at + block.bytes > bytes.size) break;
    at += block.bytes;
    if (block.samples === 0) continue;
    first ??= block;
    if (block.isInitial) samples += block.samples;
    if (!isCounted) channelCount += block.channelCount;
    isCounted ||= block.isFinal;
  }
  if (!first || first.sampleRate === 0) throw damagedAudio('its blocks make no sense');
  const { sampleRate, index, fileSamples } = first;
  return {
    codec: 'wavpack',
    sampleRate,
    channelCount,
    durationSeconds: samples / sampleRate,
    // Only the first block of a file states its length.
    isCutOff: index === 0 && (fileSamples ?? 0) > samples,
    hasVideo: false,
  };
}
