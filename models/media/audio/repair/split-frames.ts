import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import { ByteReader, damagedAudio } from '../../bytes/byte-reader.ts';
import { getAudioContainer, SIGNATURE_BYTES } from '../formats/audio-container.ts';
import { findId3End } from '../formats/mp3.ts';
import { PARTS_MAX, type SplitAudio } from './audio-part.ts';
import { headReader, type ReadFrameHead, readAdtsHead, readMp3Head } from './frame-heads.ts';
import { findFrameRuns, isEndMissing, joinFrameRuns } from './frame-runs.ts';
import { openTrueHd, readAc3Frame, readDtsFrame, readMpegFrame } from './raw-frames.ts';

/** Audio of a file, behind its ID3v2 tags. */
interface FoundAudio {
  readonly container: AudioContainer;
  readonly file: Blob;
}

/** Openers of readers, which may keep what an earlier frame stated. */
const HEADS = {
  mp3: () => readMp3Head,
  aac: () => readAdtsHead,
  ac3: () => headReader([0x0b], readAc3Frame),
  mp2: () => headReader([0xff], readMpegFrame, 'mp2'),
  dts: () => headReader([0x7f, 0x64], readDtsFrame),
  truehd: trueHdReader,
} as const satisfies Partial<Record<AudioContainer, () => ReadFrameHead>>;

/** Containers that consist of frames. */
export type FrameContainer = keyof typeof HEADS;

/** Bytes at the start of a file that may precede its first frame, besides tags. */
const START_MAX = 524_288;
/** Runs that are visited: many may be one part. */
const RUNS_MAX = 20_000;

/** First byte of the mark of a unit of TrueHD that a stream begins with, and its place. */
const [TRUE_HD_MARK, TRUE_HD_MARK_AT] = [0xf8, 4];

function trueHdReader(): ReadFrameHead {
  const read = headReader(null, openTrueHd());
  let isOpen = false;
  return (bytes, at) => {
    if (!isOpen && bytes[at + TRUE_HD_MARK_AT] !== TRUE_HD_MARK) return null;
    const head = read(bytes, at);
    isOpen ||= head !== null;
    return head;
  };
}

/** Reports whether a container consists of frames. */
export function isFrameContainer(container: AudioContainer): container is FrameContainer {
  return Object.hasOwn(HEADS, container);
}

/**
 * Recognizes a file of frames by its first frames, wherever they begin; null for other files.
 * @param expected container that the first bytes look like, which is not searched for if its frames begin there
 */
export async function findFrameContainer(
  bytes: ByteReader,
  expected: FrameContainer | null,
): Promise<FrameContainer | null> {
  if (expected && (await findFirstFrame(bytes, expected)) === 0) return expected;
  const found: { container: FrameContainer; start: number }[] = [];
  for (const container of Object.keys(HEADS) as FrameContainer[]) {
    const start = await findFirstFrame(bytes, container);
    if (start !== null) found.push({ container, start });
  }
  return found.toSorted((one, other) => one.start - other.start)[0]?.container ?? null;
}

async function findFirstFrame(bytes: ByteReader, container: FrameContainer): Promise<number | null> {
  const { runs } = await findFrameRuns(bytes, HEADS[container](), {
    startMax: START_MAX,
    runsMax: 1,
  });
  return runs[0]?.start ?? null;
}

/**
 * Splits a file of frames: where another file was joined to it, and where it is damaged. Damage is as long as the
 * frames that fit into its bytes.
 * @throws OperationError `bad_request` when there are no frames
 */
export async function splitFrames(
  file: Blob,
  bytes: ByteReader,
  container: FrameContainer,
): Promise<SplitAudio> {
  const limits = { startMax: START_MAX, runsMax: RUNS_MAX };
  const { runs, strayBytes } = await findFrameRuns(bytes, HEADS[container](), limits);
  const parts = await joinFrameRuns(file, runs);
  if (parts.length === 0) throw damagedAudio('it holds no frames');
  const isCutOff = isEndMissing(runs, strayBytes) || parts.length > PARTS_MAX;
  return { parts: parts.slice(0, PARTS_MAX), isCutOff };
}

/**
 * Recognizes the audio of a file by its bytes, never by its name or media type. Frames may begin late.
 * @returns null for an unknown format
 */
export async function findAudio(file: Blob, signal?: AbortSignal): Promise<FoundAudio | null> {
  const tagEnd = await findId3End(new ByteReader(file, signal));
  const body = tagEnd > 0 && tagEnd < file.size ? file.slice(tagEnd) : file;
  const head = new Uint8Array(await body.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const container = getAudioContainer(head);
  if (container && !isFrameContainer(container)) return { container, file: body };
  const framed = (await findFrameContainer(new ByteReader(body, signal), container)) ?? container;
  return framed && { container: framed, file: body };
}
