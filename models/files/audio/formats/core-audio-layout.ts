import { ambisonic } from './ambisonic.ts';

/** Bytes of a layout without descriptions, and up to the label of the first one. */
export const LAYOUT_BYTES_MIN = 12;
export const LAYOUT_BYTES = 16;
/** Upper halves of the tags of ambisonic layouts: B format, and higher orders as ACN with SN3D and N3D. */
const AMBISONIC_TAGS = [107, 190, 191];
/** Labels of the channels of B format. */
const AMBISONIC_LABELS = [200, 201, 202, 203];
/** First and last label of the channels of higher orders. */
const ORDER_LABELS = [0x20000, 0x2ffff] as const;

/**
 * Refuses a channel layout of Core Audio (`AudioChannelLayout`, as in CAF and QuickTime) that is ambisonic.
 * @param layout tag, bitmap, number of descriptions, and the label of the first description where there is one
 * @throws OperationError `bad_request` with what it is
 */
export function assertNoAmbisonicLayout(layout: DataView): void {
  const tag = layout.getUint32(0);
  if (AMBISONIC_TAGS.includes(tag >>> 16)) throw ambisonic();
  const isDescribed = tag === 0 && layout.byteLength >= LAYOUT_BYTES && layout.getUint32(8) > 0;
  const label = isDescribed ? layout.getUint32(12) : 0;
  const [first, last] = ORDER_LABELS;
  if (AMBISONIC_LABELS.includes(label) || (label >= first && label <= last)) throw ambisonic();
}
