import { EXTENSION_INTRODUCER } from './blocks.ts';

/** Label of the extension that says how the next frame is shown: GIF89a, section 23. */
export const GRAPHIC_CONTROL = 0xf9;
const HAS_TRANSPARENT_INDEX = 0x01;

/**
 * Clears the transparent index that an encoder reserves in the first frame of a GIF though no pixel uses it (GIF89a,
 * section 23), in place: readers would take the image for a transparent one.
 */
export function clearGifTransparency(bytes: Uint8Array): void {
  const flags = bytes[10] ?? 0;
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (bytes[at] === EXTENSION_INTRODUCER) {
    if (bytes[at + 1] === GRAPHIC_CONTROL) {
      bytes[at + 3] = (bytes[at + 3] ?? 0) & ~HAS_TRANSPARENT_INDEX;
      return;
    }
    at += 2;
    for (let length = bytes[at++]; length; length = bytes[at++]) at += length;
  }
}
