import type { RawFrame } from './raw-frame.ts';

/** Sync words of the core, big-endian with 16 bits a word, and of an extension: ETSI TS 102 114, 5.3 and 7.4. */
const CORE = 0x7ffe_8001;
const EXTENSION = 0x6458_2025;
/** In Hz by SFREQ; 0 for codes that do not exist. */
const SAMPLE_RATES = [
  0, 8000, 16_000, 32_000, 0, 0, 11_025, 22_050, 44_100, 0, 0, 12_000, 24_000, 48_000, 96_000, 192_000,
];
/** Full-range channels by AMODE. */
const CHANNELS = [1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 6, 7, 8, 8];
const SAMPLES_A_BLOCK = 32;

/** Reads the head of a frame of DTS; null where there is none. */
export function readDtsFrame(head: Uint8Array): RawFrame | null {
  if (head.length < 12) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const sync = view.getUint32(0);
  if (sync === EXTENSION) return readExtension(view);
  if (sync !== CORE) return null;
  const blocks = ((view.getUint16(4) >> 2) & 0x7f) + 1;
  const bytes = ((view.getUint32(4) >> 4) & 0x3fff) + 1;
  const mode = (view.getUint16(7) >> 6) & 0x3f;
  const sampleRate = SAMPLE_RATES[(view.getUint8(8) >> 2) & 15];
  const hasEffects = ((view.getUint8(10) >> 1) & 3) !== 0;
  if (!sampleRate || bytes < 96) return null;
  return {
    codec: 'dts',
    bytes,
    samples: blocks * SAMPLES_A_BLOCK,
    sampleRate,
    channelCount: (CHANNELS[mode] ?? 8) + (hasEffects ? 1 : 0),
  };
}

/** Reads an extension, which adds to the core before it. */
function readExtension(view: DataView): RawFrame | null {
  const isLong = (view.getUint8(5) & 0x20) !== 0;
  const code = isLong ? (view.getUint32(6) >>> 5) & 0xfffff : (view.getUint32(5) >>> 5) & 0xffff;
  const bytes = code + 1;
  return bytes < 12 ? null : { codec: 'dts', bytes, samples: 0, sampleRate: 1, channelCount: 1 };
}
