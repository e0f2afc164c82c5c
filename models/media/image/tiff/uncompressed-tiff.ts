/** Layout of an uncompressed TIFF: interleaved, straight alpha last, top row first, little-endian. */
export interface TiffLayout {
  readonly width: number;
  readonly height: number;
  /** RGB, or RGBA. */
  readonly channels: 3 | 4;
  readonly bitsPerSample: 8 | 16;
  readonly icc?: Uint8Array | undefined;
}

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const ROWS_PER_STRIP = 64;

/**
 * Builds an uncompressed TIFF file with room for its samples: the cheapest way to pass samples with a colour profile
 * to another library. Write the samples into `samples`, then pass on `file`.
 */
export function uncompressedTiff(layout: TiffLayout): {
  file: Uint8Array<ArrayBuffer>;
  samples: Uint8Array<ArrayBuffer>;
} {
  const head = uncompressedTiffHead(layout);
  const file = new Uint8Array(head.length + getRowBytes(layout) * layout.height);
  file.set(head);
  return { file, samples: file.subarray(head.length) };
}

/** Returns all bytes of an uncompressed TIFF file before its samples. TIFF 6.0, sections 2, 3, 18. */
export function uncompressedTiffHead(layout: TiffLayout): Uint8Array<ArrayBuffer> {
  const { width, height, channels, bitsPerSample, icc } = layout;
  const rowBytes = getRowBytes(layout);
  const strips = Math.ceil(height / ROWS_PER_STRIP);
  const tags = 11 + (channels === 4 ? 1 : 0) + (icc ? 1 : 0);
  const bitsAt = 8 + 2 + tags * 12 + 4;
  const offsetsAt = bitsAt + channels * 2;
  const countsAt = offsetsAt + strips * 4;
  const iccAt = countsAt + strips * 4;
  const samplesAt = Math.ceil((iccAt + (icc?.length ?? 0)) / 8) * 8;
  const file = new Uint8Array(samplesAt);
  const view = new DataView(file.buffer);
  let entry = 10;
  const tag = (id: number, type: number, count: number, value: number) => {
    view.setUint16(entry, id, true);
    view.setUint16(entry + 2, type, true);
    view.setUint32(entry + 4, count, true);
    view.setUint32(entry + 8, value, true);
    entry += 12;
  };
  file.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  view.setUint16(8, tags, true);
  tag(256, LONG, 1, width);
  tag(257, LONG, 1, height);
  tag(258, SHORT, channels, bitsAt);
  tag(259, SHORT, 1, 1); // no compression
  tag(262, SHORT, 1, 2); // RGB
  tag(273, LONG, strips, strips === 1 ? samplesAt : offsetsAt);
  tag(274, SHORT, 1, 1); // upright
  tag(277, SHORT, 1, channels);
  tag(278, LONG, 1, ROWS_PER_STRIP);
  tag(279, LONG, strips, strips === 1 ? rowBytes * height : countsAt);
  tag(284, SHORT, 1, 1); // interleaved
  if (channels === 4) tag(338, SHORT, 1, 2); // straight alpha
  if (icc) tag(34675, UNDEFINED, icc.length, iccAt);
  for (let channel = 0; channel < channels; channel++)
    view.setUint16(bitsAt + channel * 2, bitsPerSample, true);
  for (let strip = 0; strip < strips; strip++) {
    const rows = Math.min(ROWS_PER_STRIP, height - strip * ROWS_PER_STRIP);
    view.setUint32(offsetsAt + strip * 4, samplesAt + strip * ROWS_PER_STRIP * rowBytes, true);
    view.setUint32(countsAt + strip * 4, rows * rowBytes, true);
  }
  if (icc) file.set(icc, iccAt);
  return file;
}

function getRowBytes({ width, channels, bitsPerSample }: TiffLayout): number {
  return (width * channels * bitsPerSample) / 8;
}
