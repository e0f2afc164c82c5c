import type { EncodedPacket, Input, InputTrack, InputVideoTrack } from 'mediabunny';
import { OperationError } from '../../core/operation/errors.ts';
import { assertBoundedTables } from '../containers/assert-bounded-tables.ts';
import { failOnRepeatedReads } from '../containers/bounded-reads.ts';
import { type MendedFile, mendMatroska } from '../containers/repair/mend-matroska.ts';

/** Container that is open. */
export interface OpenedInput extends MendedFile {
  readonly input: Input;
}

/**
 * Opens a container: MP4 and MOV, WebM and Matroska, which are mended.
 * @throws OperationError `bad_request` when its tables count more samples than it can hold
 */
export async function openInput(whole: Blob): Promise<OpenedInput> {
  const { BlobSource, Input, MATROSKA, MP4, QTFF, WEBM } = await import('mediabunny');
  const mended = await mendMatroska(whole);
  await assertBoundedTables(mended.file);
  const source = failOnRepeatedReads(new BlobSource(mended.file));
  const input = new Input({ source, formats: [MP4, QTFF, WEBM, MATROSKA] });
  return { input, ...mended };
}

/**
 * Opens the video track.
 * @throws OperationError `unprocessable` when the file cannot be read or has no video track
 */
export async function openVideoTrack(
  file: Blob,
): Promise<Omit<OpenedInput, 'input'> & { readonly track: InputVideoTrack }> {
  const { input, ...opened } = await openInput(file);
  const track = await input.getPrimaryVideoTrack().catch((thrown: unknown) => {
    throw damagedVideo(thrown);
  });
  if (!track)
    throw new OperationError('unprocessable', 'The file has no video track, only audio.', {
      kind: 'no_video',
    });
  return { track, ...opened };
}

/**
 * Iterates over the packets of a track, in decoding order.
 * @throws OperationError `unprocessable` when the file is damaged
 */
export async function* getPackets(track: InputTrack): AsyncGenerator<EncodedPacket> {
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
