import {
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  Input,
  MATROSKA,
  MkvOutputFormat,
  Output,
} from 'mediabunny';
import { beforeAll, expect, test } from 'vitest';
import { holdsSecondFile } from '../../../../models/media/audio/read/second-file.ts';
import { mendMatroska } from '../../../../models/media/containers/repair/mend-matroska.ts';
import { chirpFile } from '../../../support/media/chirp-files.ts';

const PACKETS = 200;
const PACKET_BYTES = 1600;
const CLUSTER = '1f43b675';
const SIMPLE_BLOCK = 0xa3;

let whole: Buffer;
beforeAll(async () => {
  whole = await writeMatroska();
});

/** Writes 20 s of sound in clusters of at least one second. */
async function writeMatroska(): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new MkvOutputFormat({ minimumClusterDuration: 1 }), target });
  const source = new EncodedAudioPacketSource('pcm-s16');
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = { codec: 'pcm-s16', numberOfChannels: 1, sampleRate: 8000 };
  for (let index = 0; index < PACKETS; index++) {
    const packet = new EncodedPacket(new Uint8Array(PACKET_BYTES).fill(0x55), 'key', index / 10, 0.1);
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

async function countPackets(file: Blob): Promise<number> {
  using input = new Input({ source: new BlobSource(file), formats: [MATROSKA] });
  const track = await input.getPrimaryAudioTrack();
  let count = 0;
  if (track) for await (const _ of new EncodedPacketSink(track).packets()) count++;
  return count;
}

/** Returns where a cluster stands, and where its size does. */
function findCluster(number: number): { at: number; sizeAt: number } {
  let at = -1;
  for (let index = 0; index <= number; index++) at = whole.indexOf(CLUSTER, at + 1, 'hex');
  return { at, sizeAt: at + 4 };
}

/** Returns a copy of the file with another byte at a place. */
function replace(at: number, byte: number): Blob {
  const bytes = Buffer.from(whole);
  bytes[at] = byte;
  return new Blob([bytes]);
}

test('a whole file stays as it is', async () => {
  const file = new Blob([Buffer.from(whole)]);
  expect((await mendMatroska(file)).file).toBe(file);
  expect(await countPackets(file)).toBe(PACKETS);
});

test('a damaged size of a block costs that block, and is no cut', async () => {
  const block = whole.indexOf(SIMPLE_BLOCK, findCluster(5).at + 12);
  const mended = await mendMatroska(replace(block + 1, 0x14));
  expect(mended).toMatchObject({ isCutOff: false, damages: [{}] });
  expect(await countPackets(mended.file)).toBeGreaterThanOrEqual(PACKETS - 2);
});

test('a damaged size of a cluster costs nothing', async () => {
  const { sizeAt } = findCluster(5);
  const last = sizeAt + (whole[sizeAt] === 1 ? 7 : 3);
  const file = replace(last - 1, (whole[last - 1] ?? 0) ^ 0x40);
  expect(await countPackets(file)).toBeLessThan(PACKETS);
  const mended = await mendMatroska(file);
  expect(mended).toMatchObject({ isCutOff: false, damages: [] });
  expect(await countPackets(mended.file)).toBe(PACKETS);
});

/** Element of Matroska whose size takes eight bytes. */
function element(id: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  size[0] = 1;
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

test('blocks of more tracks than a file may have are not remembered', async () => {
  const block = (track: number, tick: number) =>
    element('a3', Buffer.from([0x40 | (track >> 8), track & 0xff, tick >> 8, tick & 0xff, 0x80, 1, 2, 3]));
  const blocks = Array.from({ length: 1000 }, (_, index) => block(index + 1, index));
  const cluster = element(
    '1f43b675',
    element('e7', Buffer.from([0])),
    ...blocks,
    Buffer.alloc(64),
    block(1, 2000),
  );
  const file = Buffer.concat([element('1a45dfa3'), element('18538067', cluster)]);
  const { damages } = await mendMatroska(new Blob([file]));
  expect(damages.map(({ before }) => before.size)).toEqual([100]);
});

test('damage within a transport stream is no second file, and none of its errors', async () => {
  const file = (await chirpFile('mp2 in ts', 12)).slice();
  file.fill(0, file.length / 2, file.length / 2 + 4096);
  expect(await holdsSecondFile(new Blob([file]), 'mpegts', new AbortController().signal)).toBe(false);
});
