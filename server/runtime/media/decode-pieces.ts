import type { PcmPiece } from '../../../models/core/runtime/audio-codec.ts';
import { damagedSilence } from '../../../models/kernels/audio/silence.ts';

/** Time of a packet, in seconds of its track. */
export interface PacketTime {
  readonly seconds: number;
  readonly durationSeconds: number;
}

/** Packets of one reader, and their decoder. */
export interface PieceDecoder<Packet> {
  /** Ends with null, which flushes the decoder. */
  readonly packets: AsyncIterable<Packet | null> | Iterable<Packet | null>;
  getTime(packet: Packet): PacketTime;
  /** Decodes a packet. @throws when it is corrupt */
  decode(packet: Packet | null): PcmPiece[];
  /** Whether a corrupt last packet means that samples are missing. Defaults to true. */
  readonly endsWithPacket?: boolean;
}

/** Packets in a row that have to be good after a corrupt one: some random bytes can be decoded, too. */
const GOOD_PACKETS = 3;

/**
 * Decodes packet by packet. Corrupt packets become silence of their length, which is marked.
 * @throws the error of the first packet when none can be decoded
 */
export async function* decodePieces<Packet>({
  packets,
  getTime,
  decode,
  endsWithPacket = true,
}: PieceDecoder<Packet>): AsyncGenerator<PcmPiece> {
  let shape: PcmPiece | null = null;
  let damage: PacketTime | null = null;
  let fault: unknown = null;
  let held: PcmPiece[] = [];
  let heldPackets = 0;
  let damagedPackets = 0;
  for await (const packet of packets) {
    try {
      held.push(...decode(packet));
      heldPackets += 1;
    } catch (thrown) {
      fault ??= thrown;
      if (packet) damage = joinTimes(damage, getTime(packet));
      damagedPackets += 1;
      [held, heldPackets] = [[], 0];
      continue;
    }
    if (damage && packet && heldPackets < GOOD_PACKETS) continue;
    shape ??= held[0] ?? null;
    // What a decoder flushes without a good packet belongs to those before: damage at the end stays at the end.
    if (damage && shape && (packet || heldPackets > 1)) {
      yield* silenceIn(damage, shape, held[0]);
      [damage, damagedPackets] = [null, 0];
    }
    yield* held;
    [held, heldPackets] = [[], 0];
  }
  if (damage && shape && (endsWithPacket || damagedPackets > 1)) yield* silenceIn(damage, shape, undefined);
  if (!shape && fault) throw fault;
}

function joinTimes(before: PacketTime | null, { seconds, durationSeconds }: PacketTime): PacketTime {
  const start = Math.min(before?.seconds ?? seconds, seconds);
  return { seconds: start, durationSeconds: seconds + durationSeconds - start };
}

/** Makes silence from the start of damage to the next good piece. @param like piece of the same format */
function silenceIn(
  { seconds, durationSeconds }: PacketTime,
  like: PcmPiece,
  next: PcmPiece | undefined,
): Generator<PcmPiece> {
  return damagedSilence(like, seconds, Math.max(seconds + durationSeconds, next?.timestampSeconds ?? 0));
}
