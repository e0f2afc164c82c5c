import type { ByteReader } from '../formats/byte-reader.ts';
import { readPesPacket } from '../formats/mpeg/pes-packet.ts';
import { PACKET_BYTES, SYNC, transportLayoutOf } from '../formats/mpeg/transport-stream.ts';
import { PARTS_MAX, type SplitAudio } from './audio-part.ts';
import { splitAt } from './split-at.ts';
import { StreamTimes } from './stream-times.ts';

/** Bytes in which the layout of a file shows. */
const HEAD_BYTES = 1024;
/** Packets that are read at once. */
const BLOCK_PACKETS = 5_000;

/**
 * Splits MPEG transport streams that were joined: where the times of audio go back, another begins with its last
 * program table (ISO 13818-1, 2.4.4) before. Times that only jump ahead are a gap of one recording.
 */
export async function splitTransport(file: Blob, bytes: ByteReader): Promise<SplitAudio> {
  const layout = transportLayoutOf(await bytes.read(0, HEAD_BYTES));
  const starts = [0];
  let isDamaged = false;
  if (layout) {
    const { start, step } = layout;
    const walker = new StepFinder(start - (step - PACKET_BYTES));
    for (let at = start; at < bytes.size && walker.starts.length <= PARTS_MAX; at += BLOCK_PACKETS * step) {
      const block = await bytes.read(at, BLOCK_PACKETS * step);
      for (let packet = 0; packet + PACKET_BYTES <= block.length; packet += step) {
        walker.add(block.subarray(packet, packet + PACKET_BYTES), at + packet - (step - PACKET_BYTES));
      }
    }
    starts.push(...walker.starts);
    isDamaged = walker.isDamaged;
  }
  return splitAt(file, starts, isDamaged);
}

class StepFinder {
  /** Offsets of the second file and those after it. */
  readonly starts: number[] = [];
  /** Whether there is no packet where one should be. */
  isDamaged = false;
  readonly #times = new StreamTimes<number>();
  #tableAt: number;

  constructor(start: number) {
    this.#tableAt = start;
  }

  add(packet: Uint8Array, offset: number): void {
    const [sync, second = 0, third = 0, fourth = 0, adaptationBytes = 0] = packet;
    this.isDamaged ||= sync !== SYNC;
    if (sync !== SYNC) return;
    // Only the start of a stream's packet has a time, and that of a table its head.
    if (!(second & 0x40) || !(fourth & 0x10)) return;
    const pid = ((second & 0x1f) << 8) | third;
    if (pid === 0) this.#tableAt = offset;
    const pes = readPesPacket(packet.subarray(fourth & 0x20 ? 5 + adaptationBytes : 4));
    const isAudio = pes && (pes.streamId < 0xe0 || pes.streamId === 0xfd);
    if (!isAudio || pes.time === null) return;
    const isJoined = this.#times.add(pid, pes.time);
    if (isJoined && this.#tableAt > (this.starts.at(-1) ?? 0)) this.starts.push(this.#tableAt);
  }
}
