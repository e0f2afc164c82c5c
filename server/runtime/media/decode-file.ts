import type { Packet } from 'node-av/lib';
import type { AudioFacts, PcmPiece } from '../../../models/core/runtime/audio-codec.ts';
import { ffmpegDemuxer } from '../../../models/media/audio/formats/ffmpeg-demuxers.ts';
import { toSampleError } from '../../../models/media/audio/read/sample-pieces.ts';
import { decodePieces } from './decode-pieces.ts';
import { FileReader, readSpooled } from './file-reader.ts';
import { PieceClock } from './piece-clock.ts';

/** Demuxers of files that end with a whole packet. In others it may be a part of one, or what makes a size even. */
const ENDING_WITH_PACKET: readonly string[] = ['amr', 'asf'];

/**
 * Decodes the audio of a file that mediabunny cannot read. FFmpeg reads paths only, so the file is copied to `path` and
 * deleted at the end.
 * @throws OperationError `unprocessable` when the file or all its packets are corrupt
 */
export async function* decodeFilePieces(
  file: Blob,
  facts: AudioFacts,
  place: { readonly path: string; readonly signal: AbortSignal },
): AsyncGenerator<PcmPiece> {
  try {
    yield* readSpooled(file, place, (path) => getPieces(path, facts));
  } catch (thrown) {
    throw toSampleError(thrown);
  }
}

async function* getPieces(path: string, facts: AudioFacts): AsyncGenerator<PcmPiece> {
  using reader = new FileReader(path, {
    demuxer: ffmpegDemuxer(facts),
    media: 'audio',
    index: (facts.track?.number ?? 1) - 1,
  });
  const clock = new PieceClock();
  const pieces = decodePieces<Packet>({
    packets: reader.packets(),
    getTime: (packet) => reader.getTime(packet) ?? { seconds: clock.endSeconds, durationSeconds: 0 },
    decode(packet) {
      try {
        return Array.from(reader.decode(packet), (frame) => clock.getPiece(frame));
      } catch (thrown) {
        // Others would go on from the samples of a corrupt packet.
        reader.flush();
        throw thrown;
      }
    },
    endsWithPacket: ENDING_WITH_PACKET.includes(ffmpegDemuxer(facts)),
  });
  // Times begin at the first sample, as in FFmpeg's program, which decodes on the device.
  let origin: number | null = null;
  for await (const piece of pieces) {
    origin ??= piece.timestampSeconds;
    yield { ...piece, timestampSeconds: piece.timestampSeconds - origin };
  }
}
