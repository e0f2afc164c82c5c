import type { AudioContainer } from '../../../core/runtime/audio-facts.ts';
import { ByteReader } from '../formats/byte-reader.ts';
import type { SplitAudio } from './audio-part.ts';
import { splitAmr } from './split-amr.ts';
import { wholeFile } from './split-at.ts';
import { splitIso, splitMatroska } from './split-containers.ts';
import { splitDeclared } from './split-declared.ts';
import { splitFlac } from './split-flac.ts';
import { splitFlv } from './split-flv.ts';
import { type FrameContainer, splitFrames } from './split-frames.ts';
import { splitOgg } from './split-ogg.ts';
import { splitProgram } from './split-program.ts';
import { splitTransport } from './split-transport.ts';
import { splitWavPack } from './split-wavpack.ts';

type Split = (file: Blob, bytes: ByteReader) => Promise<SplitAudio>;

const SPLITTERS: Partial<Record<AudioContainer, Split>> = {
  mp3: splitterOf('mp3'),
  aac: splitterOf('aac'),
  ac3: splitterOf('ac3'),
  mp2: splitterOf('mp2'),
  dts: splitterOf('dts'),
  truehd: splitterOf('truehd'),
  ogg: splitOgg,
  flac: splitFlac,
  wav: (file, bytes) => splitDeclared(file, bytes, 'wav'),
  aiff: (file, bytes) => splitDeclared(file, bytes, 'aiff'),
  w64: (file, bytes) => splitDeclared(file, bytes, 'w64'),
  au: (file, bytes) => splitDeclared(file, bytes, 'au'),
  avi: (file, bytes) => splitDeclared(file, bytes, 'avi'),
  caf: (file, bytes) => splitDeclared(file, bytes, 'caf'),
  mp4: splitIso,
  mov: splitIso,
  webm: splitMatroska,
  mkv: splitMatroska,
  mpegts: splitTransport,
  mpeg: splitProgram,
  tta: (file, bytes) => splitDeclared(file, bytes, 'tta'),
  ape: (file, bytes) => splitDeclared(file, bytes, 'ape'),
  asf: (file, bytes) => splitDeclared(file, bytes, 'asf'),
  amr: splitAmr,
  wavpack: splitWavPack,
  flv: splitFlv,
};

function splitterOf(container: FrameContainer): Split {
  return (file, bytes) => splitFrames(file, bytes, container);
}

/**
 * Splits a file into parts that are files of their own: the links of a chain, files that were joined, and what is
 * between damaged stretches. Bytes before the first part are left out.
 */
export async function splitAudio(
  file: Blob,
  container: AudioContainer,
  signal: AbortSignal | undefined,
): Promise<SplitAudio> {
  const split = SPLITTERS[container];
  return split ? await split(file, new ByteReader(file, signal)) : wholeFile(file);
}
