import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer, AudioProbeOptions } from '../../../core/runtime/audio-codec.ts';
import { ByteReader } from '../../bytes/byte-reader.ts';
import { assertNotEmpty } from '../../bytes/byte-window.ts';
import { SIGNATURE_BYTES } from '../formats/audio-container.ts';
import { type SplitAudio, wholeFile } from '../repair/audio-part.ts';
import { type FrameContainer, findAudio, splitFrames } from '../repair/split-frames.ts';
import { splitOgg } from '../repair/split-ogg.ts';

type Split = (file: Blob, bytes: ByteReader) => Promise<SplitAudio>;

/** Containers that nothing else reads whole: files of frames amid other bytes, and chains of Ogg. */
const SPLITTERS: Partial<Record<AudioContainer, Split>> = {
  mp3: getSplitter('mp3'),
  aac: getSplitter('aac'),
  ac3: getSplitter('ac3'),
  mp2: getSplitter('mp2'),
  dts: getSplitter('dts'),
  truehd: getSplitter('truehd'),
  ogg: splitOgg,
};

/** Formats that are not read, by their first bytes. */
const FORMATS: readonly (readonly [name: string, ...marks: string[]])[] = [
  // FFmpeg and mediabunny read their samples as noise.
  ['a big-endian WAV file (RIFX)', 'RIFX'],
  ['a TAK file', 'tBaK'],
  ['a Musepack file', 'MPCK', 'MP+'],
  ['an OptimFROG file', 'OFR '],
  ['a Shorten file', 'ajkg'],
  ['a RealMedia file', '.RMF', '.ra\xfd'],
  ['a Creative Voice file', 'Creative Voice File'],
  ['a DSD file', 'DSD ', 'FRM8'],
  ['an MXF file', '\x06\x0e\x2b\x34'],
  ['AAC in a LOAS stream', '\x56\xe0', '\x56\xe1', '\x56\xe2', '\x56\xe3'],
  ['an AMR file of several channels', '#!AMR_MC', '#!AMR-WB_MC'],
  ['a MIDI file', 'MThd'],
  ['a Silk file', '#!SILK', '\x02#!SILK'],
  ['an HLS playlist', '#EXTM3U', '\xef\xbb\xbf#EXTM3U'],
  ['a PDF document', '%PDF'],
  ['a ZIP archive', 'PK\x03\x04'],
  ['a web page', '<!DOCTYPE', '<!doctype', '<html', '<HTML'],
];

const MARK_BYTES = 64;

/** Parts of an audio file, whose tracks are not opened yet. */
export interface FoundParts extends SplitAudio {
  readonly container: AudioContainer;
}

/**
 * Recognizes a file by its bytes, and finds its parts.
 * @throws OperationError `bad_request` when it is empty, too large, or of no known format
 */
export async function findParts(
  file: Blob,
  { bytesMax = Number.POSITIVE_INFINITY, signal }: Pick<AudioProbeOptions, 'bytesMax' | 'signal'>,
): Promise<FoundParts> {
  if (file.size > bytesMax) {
    const megabytes = (bytes: number) => `${Math.ceil(bytes / 100_000) / 10} MB`;
    throw new OperationError(
      'bad_request',
      `The file has ${megabytes(file.size)}. At most ${megabytes(bytesMax)} are allowed.`,
    );
  }
  assertNotEmpty(file, 'audio file');
  const found = await findAudio(file, signal);
  if (!found) throw unknownFormat(new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer()));
  const { container } = found;
  return { container, ...(await splitAudio(found.file, container, signal)) };
}

/** Creates the error for a file that is of no format that is read; it names the format where it can be told. */
function unknownFormat(head: Uint8Array): OperationError {
  const text = String.fromCharCode(...head.subarray(0, MARK_BYTES));
  const [name] = FORMATS.find(([, ...marks]) => marks.some((mark) => text.startsWith(mark))) ?? [];
  const fault = name
    ? `The file is ${name}, which is not supported.`
    : 'The file is of no known audio or video format.';
  return new OperationError('bad_request', `${fault} Send an MP3, WAV, FLAC, M4A, OGG, WebM or MP4 file.`, {
    kind: 'unknown_format',
  });
}

function getSplitter(container: FrameContainer): Split {
  return (file, bytes) => splitFrames(file, bytes, container);
}

/**
 * Splits a file into parts that are files of their own: the links of a chain, and what is between damaged stretches.
 * Bytes before the first part are left out.
 */
export async function splitAudio(
  file: Blob,
  container: AudioContainer,
  signal: AbortSignal | undefined,
): Promise<SplitAudio> {
  const split = SPLITTERS[container];
  return split ? await split(file, new ByteReader(file, signal)) : wholeFile(file);
}
