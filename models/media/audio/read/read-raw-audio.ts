import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import type { ByteReader } from '../../bytes/byte-reader.ts';
import type { RawAudio } from '../formats/raw-audio.ts';
import { readWavFormat } from '../formats/wav.ts';
import { assertSpeakers } from '../repair/core-audio-layout.ts';
import {
  FRAME_HEAD_BYTES,
  FRAME_READERS,
  listsChannels,
  measureFrames,
  type OpenFrames,
  readAdtsFrame,
} from '../repair/raw-frames.ts';
import { type MeasureOptions, measureAudio } from './measure-file.ts';

interface RawOptions extends Omit<MeasureOptions, 'demuxer'> {
  /** Audio track, from 1. */
  readonly trackNumber: number;
}

/** Measures ADTS whose head does not state its channels, which mediabunny refuses. */
async function readListedAdts(bytes: ByteReader, { secondsMax }: RawOptions): Promise<RawAudio | null> {
  const isListed = listsChannels(await bytes.read(0, FRAME_HEAD_BYTES));
  return isListed ? await measureFrames(bytes, readAdtsFrame, secondsMax) : null;
}

/** Containers that FFmpeg alone reads. */
const BY_FFMPEG: readonly AudioContainer[] = [
  'asf',
  'amr',
  'aiff',
  'w64',
  'au',
  'caf',
  'mpeg',
  'avi',
  'flv',
  'tta',
  'ape',
  'wavpack',
];

/** Start of an Ogg file whose first stream is FLAC or Speex, which mediabunny does not read in it. */
const OGG_RAW = /^.{28}(\x7fFLAC|Speex {3})/s;
const OGG_HEAD_BYTES = 36;

/** Reports whether FFmpeg alone reads a file. @throws OperationError `bad_request` for sound that neither reads */
async function isForFfmpeg(container: AudioContainer, bytes: ByteReader): Promise<boolean> {
  if (container === 'caf') await assertSpeakers(bytes);
  if (container === 'wav') return (await readWavFormat(bytes))?.isPlain === false;
  if (container === 'ogg') return OGG_RAW.test(String.fromCharCode(...(await bytes.read(0, OGG_HEAD_BYTES))));
  return BY_FFMPEG.includes(container);
}

/**
 * Measures the audio of a file that mediabunny cannot read; null for one that it can.
 * @throws OperationError `bad_request` when the file has no audio, or is damaged
 */
export async function readRawAudio(
  file: Blob,
  container: AudioContainer,
  bytes: ByteReader,
  options: RawOptions,
): Promise<RawAudio | null> {
  if (await isForFfmpeg(container, bytes)) return await measureAudio(file, container, options);
  if (container === 'aac') return await readListedAdts(bytes, options);
  const readers: Partial<Record<AudioContainer, OpenFrames>> = FRAME_READERS;
  const open = readers[container];
  return open ? await measureFrames(bytes, open(), options.secondsMax) : null;
}
