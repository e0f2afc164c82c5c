import type { EncodedPacket, Input, InputTrack, InputVideoTrack } from 'mediabunny';
import { firstOfJoined } from '../files/audio/parts/split-containers.ts';
import { failOnRepeatedReads } from '../files/containers/fail-on-repeated-reads.ts';
import { OperationError } from '../operation/errors.ts';

/** Opens a container: MP4 and MOV, WebM and Matroska. Of joined files it reads the first. */
export async function openInput(file: Blob): Promise<Input> {
  const { BlobSource, Input, MATROSKA, MP4, QTFF, WEBM } = await import('mediabunny');
  return new Input({
    source: failOnRepeatedReads(new BlobSource(await firstOfJoined(file))),
    formats: [MP4, QTFF, WEBM, MATROSKA],
  });
}

/**
 * Opens the video track.
 * @throws OperationError `unprocessable` when the file cannot be read or has no video track
 */
export async function openVideoTrack(file: Blob): Promise<InputVideoTrack> {
  const input = await openInput(file);
  const track = await input.getPrimaryVideoTrack().catch((thrown: unknown) => {
    throw damagedVideo(thrown);
  });
  if (!track)
    throw new OperationError('unprocessable', 'The file has no video track, only audio.', {
      kind: 'no_video',
    });
  return track;
}

/**
 * Iterates over the packets of a track, in decoding order.
 * @throws OperationError `unprocessable` when the file is damaged
 */
export async function* packetsOf(track: InputTrack): AsyncGenerator<EncodedPacket> {
  const { EncodedPacketSink } = await import('mediabunny');
  const packets = new EncodedPacketSink(track).packets();
  for (;;) {
    const { value } = await packets.next().catch((thrown: unknown) => {
      throw damagedVideo(thrown);
    });
    if (!value) return;
    yield value;
  }
}

/** Translates a fault in a container or its samples; an error meant for the user stays unchanged. */
export function damagedVideo(cause: unknown): OperationError {
  if (cause instanceof OperationError) return cause;
  return new OperationError('unprocessable', 'The video is damaged. Export it again.', {
    kind: 'damaged',
    cause,
  });
}
