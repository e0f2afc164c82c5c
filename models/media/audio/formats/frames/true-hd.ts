import type { RawFrame, ReadFrame } from './raw-frame.ts';

/** Sync words at byte 4 of the units that decoding can begin with. */
const TRUE_HD = 0xf872_6fba;
const MLP = 0xf872_6fbb;
/** Channels of each speaker group of TrueHD, and of each arrangement of MLP. */
const GROUPS = [2, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 1, 1];
const MLP_CHANNELS = [1, 2, 3, 4, 3, 4, 5, 3, 4, 5, 4, 5, 6, 4, 5, 4, 5, 6, 5, 5, 6];
const SAMPLES_MIN = 40;

/** Bytes that tell the format of a unit, from its start. */
const FORMAT_BYTES = 21;
const UNIT_BYTES_MIN = 4;

interface Format extends Pick<RawFrame, 'codec' | 'samples' | 'sampleRate' | 'channelCount'> {
  /** Parts of a unit, each of which has an entry in its directory. */
  readonly substreams: number;
}

/**
 * Opens a reader of access units of Dolby TrueHD or Meridian Lossless Packing: only some repeat the format, and are
 * told from other bytes by it, the others by the parity of their head.
 */
export function openTrueHd(): ReadFrame {
  let format: Format | null = null;
  return (head) => {
    if (head.length < UNIT_BYTES_MIN) return null;
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    const stated = readFormat(view);
    format = stated ?? format;
    const bytes = (view.getUint16(0) & 0xfff) * 2;
    if (!format || bytes < UNIT_BYTES_MIN || (!stated && !hasParity(view, format))) return null;
    const { substreams: _, ...frame } = format;
    return { ...frame, bytes, isStart: stated !== null, clock: view.getUint16(2) };
  };
}

/** Checks the parity of a unit's head and its directory, which follows where the format is not repeated. */
function hasParity(view: DataView, { substreams }: Format): boolean {
  let bits = 0;
  let end = UNIT_BYTES_MIN;
  for (let substream = 0; substream < substreams; substream++) {
    if (end + 2 > view.byteLength) return false;
    // The first bit tells that the entry has two more bytes.
    end += view.getUint8(end) & 0x80 ? 4 : 2;
  }
  if (end > view.byteLength) return false;
  for (let at = 0; at < end; at++) bits ^= view.getUint8(at);
  return (((bits >> 4) ^ bits) & 15) === 15;
}

function readFormat(view: DataView): Format | null {
  const sync = view.byteLength < FORMAT_BYTES ? 0 : view.getUint32(4);
  if (sync !== TRUE_HD && sync !== MLP) return null;
  const code = sync === TRUE_HD ? view.getUint8(8) >> 4 : view.getUint8(9) >> 4;
  const sampleRate = (code & 8 ? 44_100 : 48_000) * 2 ** (code & 7);
  return {
    codec: sync === TRUE_HD ? 'truehd' : 'mlp',
    samples: SAMPLES_MIN * 2 ** (code & 7),
    sampleRate,
    channelCount: sync === TRUE_HD ? trueHdChannels(view) : (MLP_CHANNELS[view.getUint8(11) & 31] ?? 2),
    substreams: view.getUint8(FORMAT_BYTES - 1) >> 4,
  };
}

/** Counts the channels of the largest presentation. */
function trueHdChannels(view: DataView): number {
  const bits = view.getUint32(8);
  const [six, eight] = [(bits >>> 15) & 0x1f, bits & 0x1fff];
  const groups = eight || six;
  return GROUPS.reduce((sum, channels, bit) => sum + ((groups >> bit) & 1 ? channels : 0), 0) || 2;
}
