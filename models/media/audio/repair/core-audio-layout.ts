import type { ByteReader } from '../../bytes/byte-reader.ts';
import { readFourCc } from '../../bytes/text.ts';
import { ambisonic } from '../formats/audio-errors.ts';

/** Bytes of a layout without descriptions, and of each description: `AudioChannelLayout` of Core Audio. */
export const LAYOUT_BYTES_MIN = 12;
const SPEAKER_BYTES = 20;
/** Bytes of a layout that are read: more channels are refused elsewhere. */
export const LAYOUT_BYTES_WANTED = LAYOUT_BYTES_MIN + 64 * SPEAKER_BYTES;
/** Upper halves of the tags of ambisonic layouts: B format, and higher orders as ACN with SN3D and N3D. */
const AMBISONIC_TAGS = [107, 190, 191];
/** Labels of the channels of B format. */
const AMBISONIC_LABELS = [200, 201, 202, 203];
/** First and last label of the channels of higher orders. */
const ORDER_LABELS = [0x20000, 0x2ffff] as const;
/** Tags of layouts whose channels are described one by one, or by a mask. */
const DESCRIBED_TAG = 0;
const BITMAP_TAG = 0x1_0000;

/** Channel masks by the upper halves of tags whose channels stand in the order of the mask. */
const MASKS: Readonly<Record<number, number>> = {
  100: 0x4,
  101: 0x3,
  108: 0x33,
  113: 0x7,
  115: 0x107,
  117: 0x37,
  121: 0x3f,
  125: 0x13f,
  126: 0xff,
  // The sides stand before the back, which a mix treats alike.
  128: 0x63f,
  131: 0x103,
  132: 0x33,
  133: 0xb,
  134: 0x10b,
  135: 0x3b,
  136: 0xf,
  137: 0x10f,
};

/** Labels that are a bit of the mask, from 1. */
const MASK_LABELS = 18;
const CHUNKS_MAX = 10_000;

/**
 * Checks that the channels of a CAF file are for loudspeakers: FFmpeg mixes those of other sound like these.
 * @throws OperationError `bad_request` for ambisonic sound, with what it is
 */
export async function assertSpeakers(bytes: ByteReader): Promise<void> {
  let at = 8;
  for (let count = 0; at + 12 <= bytes.size && count < CHUNKS_MAX; count++) {
    const head = await bytes.view(at, 12);
    const [type, size] = [readFourCc(head, 0), Number(head.getBigInt64(4))];
    const available = bytes.size - at - 12;
    if (type === 'chan' && available >= LAYOUT_BYTES_MIN)
      readCoreAudioMask(await bytes.view(at + 12, Math.min(available, LAYOUT_BYTES_WANTED)));
    if (size < 0) break;
    at += 12 + size;
  }
}

/**
 * Reads a channel layout of Core Audio (`AudioChannelLayout`, as in CAF and QuickTime).
 * @param layout tag, bitmap, number of descriptions, and the descriptions
 * @returns the mask of its channels; null where they stand in another order
 * @throws OperationError `bad_request` for ambisonic sound, with what it is
 */
export function readCoreAudioMask(layout: DataView): number | null {
  const tag = layout.getUint32(0);
  if (AMBISONIC_TAGS.includes(tag >>> 16)) throw ambisonic();
  if (tag === BITMAP_TAG) return layout.getUint32(4);
  if (tag !== DESCRIBED_TAG) return MASKS[tag >>> 16] ?? null;
  const count = Math.min(
    layout.getUint32(8),
    Math.floor((layout.byteLength - LAYOUT_BYTES_MIN) / SPEAKER_BYTES),
  );
  const labels = Array.from({ length: count }, (_, at) =>
    layout.getUint32(LAYOUT_BYTES_MIN + at * SPEAKER_BYTES),
  );
  const [first = 0] = labels;
  const [order, lastOrder] = ORDER_LABELS;
  if (AMBISONIC_LABELS.includes(first) || (first >= order && first <= lastOrder)) throw ambisonic();
  const isInOrder = labels.every(
    (label, at) => label >= 1 && label <= MASK_LABELS && label > (labels[at - 1] ?? 0),
  );
  return isInOrder && count > 0 ? labels.reduce((mask, label) => mask | (1 << (label - 1)), 0) : null;
}
