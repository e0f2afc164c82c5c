import type { InputAudioTrack } from 'mediabunny';
import type { ByteReader } from '../formats/byte-reader.ts';

const GRANULE_AT = 6;
const OPUS_RATE = 48_000;
/** Packets of one page: each takes one of its 255 lengths. */
const PACKETS_MAX = 255;

/**
 * Reads the length at the start of an Ogg stream that is not played: where the first page with samples states an
 * earlier end than its packets have, they begin before 0 (Vorbis I, A.2; RFC 7845, 4.4). mediabunny (1.61) counts them
 * from 0.
 */
export async function readOggLead(audio: InputAudioTrack, bytes: ByteReader): Promise<number> {
  const { EncodedPacketSink } = await import('mediabunny');
  const sink = new EncodedPacketSink(audio);
  const first = await sink.getFirstPacket({ metadataOnly: true });
  // The first packet after the start has to begin at 0: other streams state when they begin.
  if (!first || first.timestamp > 0) return 0;
  const page = await findPageStart(bytes, first.sequenceNumber);
  if (page === null) return 0;
  let packetSeconds = 0;
  let packet: typeof first | null = first;
  for (let count = 0; packet && count < PACKETS_MAX; count++) {
    if ((await findPageStart(bytes, packet.sequenceNumber)) !== page) break;
    packetSeconds += packet.duration;
    packet = await sink.getNextPacket(packet, { metadataOnly: true });
  }
  // The last page may end within its last packet.
  if (!packet) return 0;
  const granule = Number((await bytes.view(page, 14)).getBigInt64(GRANULE_AT, true));
  const rate = (await audio.getCodec()) === 'opus' ? OPUS_RATE : await audio.getSampleRate();
  const lead = packetSeconds - granule / rate;
  return granule >= 0 && lead > 1 / rate ? lead : 0;
}

/** Finds the page in which a packet ends. @param place in the page's table, counted from its start */
async function findPageStart(bytes: ByteReader, place: number): Promise<number | null> {
  for (let at = place; at >= Math.max(0, place - PACKETS_MAX); at--) {
    const mark = await bytes.read(at, 4);
    if (mark[0] === 0x4f && mark[1] === 0x67 && mark[2] === 0x67 && mark[3] === 0x53) return at;
  }
  return null;
}
