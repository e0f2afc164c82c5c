import { AV_NOPTS_VALUE } from 'node-av/constants';
import { ffmpegDemuxer } from '../../../models/files/audio/formats/ffmpeg-demuxers.ts';
import { toSampleError } from '../../../models/files/audio/read/to-sample-error.ts';
import type { AudioFacts } from '../../../models/runtime/audio-facts.ts';
import type { PcmPiece } from '../../../models/runtime/pcm.ts';
import { FileReader, readSpooled } from '../ffmpeg/file-reader.ts';
import { PieceClock } from './decode-packets.ts';

/** Times of frames are in microseconds. */
const TICK_SECONDS = 1e-6;

/**
 * Decodes the audio of a file that mediabunny cannot read. FFmpeg reads paths only, so the file is copied to `path` and
 * deleted at the end.
 * @throws OperationError `unprocessable` when the file or its packets are corrupt
 */
export async function* decodeFilePieces(
  file: Blob,
  facts: AudioFacts,
  place: { readonly path: string; readonly signal: AbortSignal },
): AsyncGenerator<PcmPiece> {
  try {
    yield* readSpooled(file, place, (path) => piecesOf(path, ffmpegDemuxer(facts)));
  } catch (thrown) {
    throw toSampleError(thrown);
  }
}

function* piecesOf(path: string, demuxer: string): Generator<PcmPiece> {
  using reader = new FileReader(path, { demuxer, media: 'audio' });
  // Times begin at the first sample, as in FFmpeg's program, which decodes on the device.
  let clock: PieceClock | null = null;
  for (const frame of reader.frames()) {
    clock ??= new PieceClock(frame.pts === AV_NOPTS_VALUE ? 0 : Number(frame.pts) * TICK_SECONDS);
    yield clock.pieceOf(frame, TICK_SECONDS);
  }
}
