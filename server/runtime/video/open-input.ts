import {
  BlobSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputTrack,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  QTFF,
  WEBM,
} from 'mediabunny';
import { OperationError } from '../../../models/errors.ts';
import { damagedVideo } from '../../../models/kernels/video/whole-frames.ts';

/** The containers that are read: MP4 and MOV, WebM and Matroska. */
export function openInput(file: Blob): Input {
  return new Input({ source: new BlobSource(file), formats: [MP4, QTFF, WEBM, MATROSKA] });
}

/** @throws OperationError `unprocessable` when the file cannot be read or has no pictures */
export async function openPictures(file: Blob): Promise<InputVideoTrack> {
  const track = await openInput(file)
    .getPrimaryVideoTrack()
    .catch((thrown: unknown) => {
      throw damagedVideo(thrown);
    });
  if (!track) throw new OperationError('unprocessable', 'The file has no pictures, only sound.');
  return track;
}

/** @throws OperationError `unprocessable` when the file is damaged */
export async function* packetsOf(track: InputTrack): AsyncGenerator<EncodedPacket> {
  const packets = new EncodedPacketSink(track).packets();
  for (;;) {
    const { value } = await packets.next().catch((thrown: unknown) => {
      throw damagedVideo(thrown);
    });
    if (!value) return;
    yield value;
  }
}
