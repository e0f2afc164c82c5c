import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AudioCodec } from '../../../models/core/runtime/audio-codec.ts';
import { decodeAudio } from '../../../models/media/audio/read/decode-audio.ts';
import { probeAudio } from '../../../models/media/audio/read/probe-audio.ts';
import { isUncompressed, samplePieces } from '../../../models/media/audio/read/sample-pieces.ts';
import { writeAudio } from '../../../models/media/audio/write-audio.ts';
import { provideNodeFfmpeg } from '../../base/provide-ffmpeg.ts';
import { AvEncoder } from './av-encoder.ts';
import { decodeFilePieces } from './decode-file.ts';
import { decodePacketPieces } from './decode-packets.ts';
import { FileStore } from './file-store.ts';

/**
 * Creates the audio codec for Node: mediabunny reads the containers that it knows; FFmpeg (node-av) decodes their
 * packets, and reads all other containers.
 * @param directory resolves to the folder for encoded files; its owner deletes it after the last use of their blobs
 */
export function createAudioCodec(directory: () => Promise<string>): AudioCodec {
  provideNodeFfmpeg();
  const nextPath = async () => join(await directory(), `audio-${randomUUID()}`);
  return {
    probe: probeAudio,
    decode: (input, options) =>
      decodeAudio(input, options, async ({ track, file, facts }) => {
        if (track && (await isUncompressed(track))) return () => samplePieces(track);
        if (track) return () => decodePacketPieces(track);
        return async function* () {
          yield* decodeFilePieces(file, facts, { path: await nextPath(), signal: options.signal });
        };
      }),
    encode: async (chunks, options) =>
      writeAudio(
        chunks,
        options,
        new FileStore(await nextPath()),
        async (codec, format) => new AvEncoder(codec, format),
      ),
  };
}
