import type { EncodedPacket, Input, InputTrack, InputVideoTrack } from 'mediabunny';
import { OperationError } from '../../core/operation/errors.ts';
import { dropPartialCluster, repairMatroska } from '../audio/formats/repair-matroska.ts';
import { firstOfJoined } from '../audio/parts/split-containers.ts';
import { assertBoundedTables } from '../containers/assert-bounded-tables.ts';
import { failOnRepeatedReads } from '../containers/bounded-reads.ts';
import { repairFragments } from '../containers/repair-fragments.ts';

/** Container that is open. */
export interface OpenedInput {
  readonly input: Input;
  /** The file that is read: the first of joined ones, repaired. */
  readonly file: Blob;
  /** Whether a part of a block at the end was left out. */
  readonly isCutOff: boolean;
  /** Whether damaged blocks were left out, so that gaps between the others are damage. */
  readonly isRepaired: boolean;
}

/**
 * Opens a container: MP4 and MOV, WebM and Matroska. Of joined files it reads the first. One that was cut off ends with
 * its last whole block.
 * @throws OperationError `bad_request` when its tables count more samples than it can hold
 */
export async function openInput(file: Blob): Promise<OpenedInput> {
  const { BlobSource, Input, MATROSKA, MP4, QTFF, WEBM } = await import('mediabunny');
  const first = await firstOfJoined(file);
  const present = await dropPartialCluster(first);
  const repaired = await repairFragments(await repairMatroska(present));
  await assertBoundedTables(repaired);
  const input = new Input({
    source: failOnRepeatedReads(new BlobSource(repaired)),
    formats: [MP4, QTFF, WEBM, MATROSKA],
  });
  return { input, file: repaired, isCutOff: present.size < first.size, isRepaired: repaired !== present };
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
