import { readFourCc } from '../../bytes/read-four-cc.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import type { RawAudio } from './raw-audio.ts';

const CHUNKS_MAX = 10_000;
/** More than any of the compressed codings puts into a byte: QDesign Music at 8 kbps is the densest. */
const FRAMES_A_BYTE_MAX = 64;

/** Uncompressed codings of AIFF-C and their bits per sample, where the header may differ. `NONE` is AIFF's own. */
const SAMPLE_BITS: Readonly<Record<string, number>> = {
  fl32: 32,
  FL32: 32,
  fl64: 64,
  FL64: 64,
  ulaw: 8,
  ULAW: 8,
  alaw: 8,
  ALAW: 8,
};

/** Bytes of each channel's block of a compressed coding, and its samples. */
const BLOCKS: Readonly<Record<string, readonly [bytes: number, samples: number]>> = {
  ima4: [34, 64],
  MAC3: [2, 6],
  MAC6: [1, 6],
  'GSM ': [33, 160],
  agsm: [33, 160],
  G722: [1, 2],
};

/**
 * Measures an AIFF or AIFF-C file (Apple, "Audio Interchange File Format" 1.3) by the samples that are in it, not by
 * the number that its header claims.
 * @throws OperationError `bad_request` when chunks are missing or do not fit together
 */
export async function readAiff(bytes: ByteReader): Promise<RawAudio> {
  let common: {
    channelCount: number;
    frames: number;
    bits: number;
    sampleRate: number;
    coding: string;
  } | null = null;
  let sampleBytes = 0;
  let at = 12;
  for (let count = 0; at + 8 <= bytes.size && count < CHUNKS_MAX; count++) {
    const head = await bytes.view(at, 8);
    const [type, size] = [readFourCc(head, 0), head.getUint32(4)];
    if (type === 'COMM') common = readCommon(await bytes.view(at + 8, Math.min(22, size)));
    if (type === 'SSND') sampleBytes = Math.max(0, Math.min(at + 8 + size, bytes.size) - at - 16);
    at += 8 + size + (size % 2);
  }
  if (!common) throw damagedAudio('it has no common chunk');
  const { channelCount, sampleRate, coding, frames } = common;
  const bits = SAMPLE_BITS[coding] ?? Math.ceil(common.bits / 8) * 8;
  const isPlain = ['NONE', 'twos', 'sowt', 'in24', 'in32', 'raw '].includes(coding) || coding in SAMPLE_BITS;
  const block = isPlain ? ([bits / 8, 1] as const) : BLOCKS[coding];
  const measured = block ? Math.floor(sampleBytes / (block[0] * channelCount)) * block[1] : frames;
  if (measured > sampleBytes * FRAMES_A_BYTE_MAX) throw damagedAudio('it claims more samples than it holds');
  // Block codings count blocks in place of samples, some programs samples.
  const durationSeconds = (isPlain ? Math.min(frames || measured, measured) : measured) / sampleRate;
  return {
    codec: isPlain ? `pcm_${/^fl/i.test(coding) ? 'f' : ''}${bits}` : coding.trim(),
    sampleRate,
    channelCount,
    durationSeconds,
    hasVideo: false,
  };
}

function readCommon(view: DataView) {
  if (view.byteLength < 18) throw damagedAudio('its common chunk is too short');
  const channelCount = view.getUint16(0);
  const bits = view.getUint16(6);
  const sampleRate = Math.round(readExtended(view, 8));
  if (channelCount === 0 || bits === 0 || !(sampleRate > 0))
    throw damagedAudio('its common chunk makes no sense');
  const coding = view.byteLength >= 22 ? readFourCc(view, 18) : 'NONE';
  return { channelCount, frames: view.getUint32(2), bits, sampleRate, coding };
}

/** IEEE 754's 80-bit format: sign and exponent, then a mantissa whose first bit is written out. */
function readExtended(view: DataView, at: number): number {
  const exponent = (view.getUint16(at) & 0x7fff) - 16_383;
  const mantissa = view.getUint32(at + 2) * 2 ** -31 + view.getUint32(at + 6) * 2 ** -63;
  return mantissa * 2 ** exponent;
}
