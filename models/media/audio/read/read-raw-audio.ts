import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer } from '../../../core/runtime/audio-facts.ts';
import { readAiff } from '../formats/aiff.ts';
import { readAmr } from '../formats/amr.ts';
import { readAsf } from '../formats/asf.ts';
import { readAu } from '../formats/au.ts';
import type { ByteReader } from '../formats/byte-reader.ts';
import { readCaf } from '../formats/caf.ts';
import { readFlv } from '../formats/flv.ts';
import { readAc3Frame } from '../formats/frames/ac3.ts';
import { listsChannels, readAdtsFrame } from '../formats/frames/adts.ts';
import { readDtsFrame } from '../formats/frames/dts.ts';
import { readMpegFrame } from '../formats/frames/mpeg-audio.ts';
import { FRAME_HEAD_BYTES, measureFrames, type OpenFrames } from '../formats/frames/raw-frame.ts';
import { openTrueHd } from '../formats/frames/true-hd.ts';
import { readApe, readTrueAudio } from '../formats/lossless.ts';
import { readProgramStream } from '../formats/mpeg/program-stream.ts';
import { readTransportStream } from '../formats/mpeg/transport-stream.ts';
import type { RawAudio } from '../formats/raw-audio.ts';
import { readAvi } from '../formats/riff/avi.ts';
import { readW64, readWav } from '../formats/riff/wav.ts';
import { readWavPack } from '../formats/wavpack.ts';
import { readOggRaw } from './read-ogg-raw.ts';

/** Reads a container; null for codecs in it that mediabunny reads. */
type ReadRaw = (bytes: ByteReader, options: RawOptions) => Promise<RawAudio | null>;

interface RawOptions {
  /** Length after which measuring may end. */
  readonly secondsMax: number;
  /** Audio track, from 1. */
  readonly trackNumber: number;
}

/** Returns a reader of a file that consists of frames only. */
function framed(open: OpenFrames): ReadRaw {
  return (bytes, { secondsMax }) => measureFrames(bytes, open(), secondsMax);
}

/** Measures ADTS whose head does not state its channels, which mediabunny refuses. */
async function readListedAdts(bytes: ByteReader, { secondsMax }: RawOptions): Promise<RawAudio | null> {
  const isListed = listsChannels(await bytes.read(0, FRAME_HEAD_BYTES));
  return isListed ? await measureFrames(bytes, readAdtsFrame, secondsMax) : null;
}

/** Readers of the containers that mediabunny does not know. */
const READERS: Partial<Record<AudioContainer, ReadRaw>> = {
  asf: (bytes, { trackNumber }) => readAsf(bytes, trackNumber),
  amr: (bytes, { secondsMax }) => readAmr(bytes, secondsMax),
  aiff: readAiff,
  aac: readListedAdts,
  ac3: framed(() => readAc3Frame),
  mp2: framed(() => readMpegFrame),
  dts: framed(() => readDtsFrame),
  truehd: framed(openTrueHd),
  w64: readW64,
  au: readAu,
  caf: readCaf,
  ogg: readOggRaw,
  mpegts: (bytes, { trackNumber }) => readTransportStream(bytes, trackNumber),
  mpeg: (bytes, { trackNumber }) => readProgramStream(bytes, trackNumber),
  avi: (bytes, { trackNumber }) => readAvi(bytes, trackNumber),
  flv: (bytes, { secondsMax }) => readFlv(bytes, secondsMax),
  tta: readTrueAudio,
  ape: readApe,
  wavpack: readWavPack,
};

/** Codings of WAV that mediabunny reads. */
const PLAIN_WAV = /^(pcm_|alaw$|ulaw$)/;

/**
 * Measures the audio of a file that mediabunny cannot read; null for one that it can.
 * @throws OperationError `bad_request` when the file has no audio, or is damaged
 */
export async function readRawAudio(
  container: AudioContainer,
  bytes: ByteReader,
  options: RawOptions,
): Promise<RawAudio | null> {
  if (container === 'wav') {
    // Of a damaged file mediabunny knows better what is left.
    const wav = await readWav(bytes).catch((thrown: unknown) => {
      if (thrown instanceof OperationError && thrown.kind === 'damaged') return null;
      throw thrown;
    });
    return wav === null || PLAIN_WAV.test(wav.codec) ? null : wav;
  }
  return (await READERS[container]?.(bytes, options)) ?? null;
}
