const PREFIX = 'Exif\0\0';
const ORIENTATION = 0x0112;

/** The TIFF stream of an EXIF block, without the `Exif\0\0` that JPEG and others put before it. */
export function tiffStreamOf(exif: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return String.fromCharCode(...exif.subarray(0, 6)) === PREFIX ? exif.subarray(6) : exif;
}

/**
 * A copy with the Orientation of the main picture set to 1. Anything unreadable comes back as it is.
 * @param exif a TIFF stream, as in EXIF 2.32, 4.5
 */
export function uprightExif(exif: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = exif.slice();
  const view = new DataView(copy.buffer);
  if (copy.length < 8) return copy;
  const little = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > copy.length) return copy;
  const count = view.getUint16(directory, little);
  for (
    let entry = directory + 2;
    entry + 12 <= Math.min(copy.length, directory + 2 + count * 12);
    entry += 12
  ) {
    if (view.getUint16(entry, little) === ORIENTATION) view.setUint16(entry + 8, 1, little);
  }
  return copy;
}
