import { type ByteReader, damagedAudio } from './byte-reader.ts';
import type { RawAudio } from './raw-audio.ts';

/** More samples than any of these codecs puts into a byte, but for silence. */
const SAMPLES_A_BYTE_MAX = 4096;
/** In Hz, by the code in a block of WavPack; 0 for one that another block states. */
const WAVPACK_RATES = [
  6000, 8000, 9600, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  192_000, 0,
];

/** Measures a True Audio file by its header. @throws OperationError `bad_request` when it makes no sense */
export async function readTrueAudio(bytes: ByteReader): Promise<RawAudio> {
  const view = await bytes.view(0, 18);
  const samples = view.getUint32(14, true);
  return checked(bytes, {
    codec: 'tta',
    channelCount: view.getUint16(6, true),
    sampleRate: view.getUint32(10, true),
    samples,
  });
}

/** Measures a WavPack file by its first block. @throws OperationError `bad_request` when it makes no sense */
export async function readWavPack(bytes: ByteReader): Promise<RawAudio> {
  const view = await bytes.view(0, 32);
  const flags = view.getUint32(24, true);
  const samples = view.getUint32(12, true);
  if (samples === 0xffff_ffff) throw damagedAudio('it does not state its length');
  return checked(bytes, {
    codec: 'wavpack',
    channelCount: flags & 4 ? 1 : 2,
    sampleRate: WAVPACK_RATES[(flags >>> 23) & 15] ?? 0,
    samples: samples + view.getUint8(10) * 2 ** 32,
  });
}

/** Version from which Monkey's Audio begins with a descriptor. */
const APE_DESCRIBED = 3980;

/** Measures a Monkey's Audio file by its header. @throws OperationError `bad_request` when it makes no sense */
export async function readApe(bytes: ByteReader): Promise<RawAudio> {
  const start = await bytes.view(0, 12);
  if (start.getUint16(4, true) < APE_DESCRIBED) throw damagedAudio('it is of a version before 3.98');
  const view = await bytes.view(start.getUint32(8, true), 24);
  const [frameSamples, lastSamples, frames] = [4, 8, 12].map((at) => view.getUint32(at, true));
  if (!frames) throw damagedAudio('it holds no samples');
  return checked(bytes, {
    codec: 'ape',
    channelCount: view.getUint16(18, true),
    sampleRate: view.getUint32(20, true),
    samples: (frames - 1) * (frameSamples ?? 0) + (lastSamples ?? 0),
  });
}

interface Stated {
  readonly codec: string;
  readonly channelCount: number;
  readonly sampleRate: number;
  readonly samples: number;
}

function checked(bytes: ByteReader, { samples, ...format }: Stated): RawAudio {
  const isSensible = format.sampleRate > 0 && format.channelCount > 0;
  if (!isSensible || samples > bytes.size * SAMPLES_A_BYTE_MAX) {
    throw damagedAudio('its header makes no sense');
  }
  return { ...format, durationSeconds: samples / format.sampleRate, hasVideo: false };
}
