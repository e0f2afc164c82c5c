import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputTrack,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';

const FORMATS = {
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  fragmented: () => new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: 0.2 }),
  mov: () => new MovOutputFormat({ fastStart: false }),
  mkv: () => new MkvOutputFormat(),
  webm: () => new WebMOutputFormat(),
  ogg: () => new OggOutputFormat({ maximumPageDuration: 0.1 }),
} satisfies Record<string, () => OutputFormat>;

export type RemuxFormat = keyof typeof FORMATS;

/** Returns the new time of a packet, or null to leave it out. */
export type MovePacket = (seconds: number, kind: 'video' | 'audio') => number | null;

/** Writes the packets of a file into another container, at other times. */
export async function remux(input: Blob, format: RemuxFormat, move: MovePacket): Promise<Blob> {
  const opened = new Input({ source: new BlobSource(input), formats: ALL_FORMATS });
  const target = new BufferTarget();
  const output = new Output({ format: FORMATS[format](), target });
  const writers: (() => Promise<void>)[] = [];
  for (const track of await opened.getTracks()) {
    const add = await addTrack(output, track);
    writers.push(async () => {
      for (const packet of await sortedPackets(track)) {
        const timestamp = move(packet.timestamp, track.type as 'video' | 'audio');
        if (timestamp !== null) await add(packet.clone({ timestamp }));
      }
    });
  }
  await output.start();
  await Promise.all(writers.map((write) => write()));
  await output.finalize();
  return new Blob([target.buffer as ArrayBuffer]);
}

async function sortedPackets(track: InputTrack): Promise<EncodedPacket[]> {
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
  return packets;
}

async function addTrack(
  output: Output,
  track: InputTrack,
): Promise<(packet: EncodedPacket) => Promise<void>> {
  if (track.isVideoTrack()) {
    const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
    if (!codec || !decoderConfig) throw new Error('a fixture has a codec');
    const source = new EncodedVideoPacketSource(codec);
    output.addVideoTrack(source);
    return (packet) => source.add(packet, { decoderConfig });
  }
  if (!track.isAudioTrack()) throw new Error('a fixture has audio and video only');
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
  if (!codec || !decoderConfig) throw new Error('a fixture has a codec');
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  return (packet) => source.add(packet, { decoderConfig });
}

/** Edit of ISO 14496-12, 8.6.6: a media time of null is an empty edit. Times are in seconds. */
export interface TestEdit {
  readonly seconds: number;
  readonly media: number | null;
}

/** Gives every track of an MP4 whose header is at its end an edit list, in place of the one that it has. */
export async function withEdits(mp4: Blob, edits: readonly TestEdit[]): Promise<Blob> {
  const bytes = Buffer.from(await mp4.arrayBuffer());
  const at = bytes.lastIndexOf('moov') - 4;
  const moov = bytes.subarray(at);
  const movieTimescale = moov.readUInt32BE(moov.indexOf('mvhd') + 16);
  return new Blob([
    new Uint8Array(bytes.subarray(0, at)),
    new Uint8Array(
      mapBoxes(moov, function change(type, body) {
        if (type === 'moov') return mapBoxes(body, change);
        if (type === 'edts') return null;
        if (type !== 'trak') return body;
        const mediaTimescale = body.readUInt32BE(body.indexOf('mdhd') + 16);
        return Buffer.concat([
          mapBoxes(body, (inner, own) => (inner === 'edts' ? null : own)),
          editBox(edits, movieTimescale, mediaTimescale),
        ]);
      }),
    ),
  ]);
}

/** Appends a box of whole numbers to the first sample entry of an MP4 whose header is at its end. */
export async function withBox(
  mp4: Blob,
  entry: string,
  type: string,
  values: readonly number[],
): Promise<Blob> {
  const bytes = Buffer.from(await mp4.arrayBuffer());
  const at = bytes.lastIndexOf('moov') - 4;
  const body = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => {
    body.writeInt32BE(value, 4 * index);
  });
  const nested = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'];
  const change = (inner: string, own: Buffer): Buffer => {
    if (inner === entry) return Buffer.concat([own, box(type, body)]);
    if (!nested.includes(inner)) return own;
    const head = inner === 'stsd' ? 8 : 0;
    return Buffer.concat([own.subarray(0, head), mapBoxes(own.subarray(head), change)]);
  };
  return new Blob([
    new Uint8Array(bytes.subarray(0, at)),
    new Uint8Array(mapBoxes(bytes.subarray(at), change)),
  ]);
}

function editBox(edits: readonly TestEdit[], movie: number, media: number): Buffer {
  const list = Buffer.alloc(8 + 12 * edits.length);
  list.writeUInt32BE(edits.length, 4);
  edits.forEach((edit, index) => {
    list.writeUInt32BE(Math.round(edit.seconds * movie), 8 + 12 * index);
    list.writeInt32BE(edit.media === null ? -1 : Math.round(edit.media * media), 12 + 12 * index);
    list.writeUInt32BE(0x10000, 16 + 12 * index);
  });
  return box('edts', box('elst', list));
}

function box(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** Changes boxes; null leaves a box out. */
function mapBoxes(bytes: Buffer, change: (type: string, body: Buffer) => Buffer | null): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + size);
    const changed = change(type, body);
    if (changed) parts.push(box(type, changed));
    at += size;
  }
  return Buffer.concat(parts);
}
