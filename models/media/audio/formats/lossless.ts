import { type ByteReader, damagedAudio } from './byte-reader.ts';
import type { RawAudio } from './raw-audio.ts';

/** More samples than any of these codecs puts into a byte, but for silence. */
const SAMPLES_A_BYTE_MAX = 4096;

/** Frames of a file: more than a second each, these are eleven days. A header may claim any number. */
const FRAMES_MAX = 1_000_000;

/** Frames of a file that has a table of them. */
interface FrameTable {
  readonly format: Pick<RawAudio, 'codec' | 'channelCount' | 'sampleRate'>;
  /** Samples of each frame but the last. */
  readonly frameSamples: number;
  readonly samples: number;
  /** Ends of the frames, from the start of the file. */
  readonly ends: readonly number[];
}

/** Head of a True Audio file, whose table of frames follows, and a checksum. */
const TTA_HEAD_BYTES = 22;
const CHECKSUM_BYTES = 4;

/** Measures a True Audio file by its frames. @throws OperationError `bad_request` when its header makes no sense */
export async function readTrueAudio(bytes: ByteReader): Promise<RawAudio> {
  return measureTable(bytes, await readTtaTable(bytes));
}

async function readTtaTable(bytes: ByteReader): Promise<FrameTable> {
  const view = await bytes.view(0, TTA_HEAD_BYTES);
  const [sampleRate, samples] = [view.getUint32(10, true), view.getUint32(14, true)];
  const format = { codec: 'tta', channelCount: view.getUint16(6, true), sampleRate };
  assertSensible(format, samples, bytes);
  // A frame lasts 256 / 245 s.
  const frameSamples = Math.floor((256 * sampleRate) / 245);
  const count = Math.ceil(samples / frameSamples);
  assertTable(count, bytes.size);
  const table = await bytes.view(TTA_HEAD_BYTES, 4 * count);
  const ends: number[] = [];
  let end = TTA_HEAD_BYTES + 4 * count + CHECKSUM_BYTES;
  for (let frame = 0; frame < count; frame++) {
    end += table.getUint32(4 * frame, true);
    ends.push(end);
  }
  return { format, frameSamples, samples, ends };
}

/** Version from which Monkey's Audio begins with a descriptor. */
const APE_DESCRIBED = 3980;
const APE_DESCRIPTOR_BYTES = 36;

/** Measures a Monkey's Audio file by its frames. @throws OperationError `bad_request` when it makes no sense */
export async function readApe(bytes: ByteReader): Promise<RawAudio> {
  return measureTable(bytes, await readApeTable(bytes));
}

async function readApeTable(bytes: ByteReader): Promise<FrameTable> {
  const head = await bytes.view(0, APE_DESCRIPTOR_BYTES);
  if (head.getUint16(4, true) < APE_DESCRIBED) throw damagedAudio('it is of a version before 3.98');
  const [descriptorBytes = 0, headerBytes = 0, tableBytes = 0, waveBytes = 0, low = 0, high = 0] = [
    8, 12, 16, 20, 24, 28,
  ].map((at) => head.getUint32(at, true));
  const view = await bytes.view(descriptorBytes, 24);
  const [frameSamples = 0, lastSamples = 0, frames = 0] = [4, 8, 12].map((at) => view.getUint32(at, true));
  if (frames === 0) throw damagedAudio('it holds no samples');
  const format = {
    codec: 'ape',
    channelCount: view.getUint16(18, true),
    sampleRate: view.getUint32(20, true),
  };
  const samples = (frames - 1) * frameSamples + lastSamples;
  assertSensible(format, samples, bytes);
  assertTable(frames, Math.min(tableBytes, bytes.size));
  const tableAt = descriptorBytes + headerBytes;
  const end = tableAt + tableBytes + waveBytes + low + high * 2 ** 32;
  const table = await bytes.read(tableAt, Math.min(tableBytes, 4 * frames));
  const starts = new DataView(table.buffer, table.byteOffset, table.length);
  // The table has the starts of frames: each ends where the next one begins.
  const ends = Array.from({ length: frames }, (_, frame) =>
    4 * frame + 8 <= table.length ? starts.getUint32(4 * frame + 4, true) : end,
  );
  return { format, frameSamples, samples, ends };
}

/** @throws OperationError `bad_request` when a table of frames is larger than what could hold it */
function assertTable(frames: number, bytesMax: number): void {
  if (frames > FRAMES_MAX || 4 * frames > bytesMax) throw damagedAudio('its table of frames makes no sense');
}

/** @throws OperationError `bad_request` when a header claims more than any file of its size holds */
function assertSensible(
  { sampleRate, channelCount }: FrameTable['format'],
  samples: number,
  bytes: ByteReader,
): void {
  const isSensible = sampleRate > 0 && channelCount > 0 && samples <= bytes.size * SAMPLES_A_BYTE_MAX;
  if (!isSensible) throw damagedAudio('its header makes no sense');
}

/** Measures the frames that are in a file. */
function measureTable(bytes: ByteReader, { format, frameSamples, samples, ends }: FrameTable): RawAudio {
  const missing = ends.findIndex((end) => end > bytes.size);
  const present = missing < 0 ? samples : missing * frameSamples;
  return {
    ...format,
    durationSeconds: present / format.sampleRate,
    isCutOff: missing >= 0,
    hasVideo: false,
  };
}
