import { expect, test } from 'vitest';
import { serverAudio } from '../../../support/media/audio.ts';

/** Page of RFC 3533 with one packet of fewer than 255 bytes. */
function getPage(flags: number, position: number, sequence: number, packet: Buffer, serial = 0): Buffer {
  const page = Buffer.alloc(28 + packet.length);
  page.write('OggS', 0, 'latin1');
  page[5] = flags;
  page.writeBigInt64LE(BigInt(position), 6);
  page.writeUInt32LE(serial, 14);
  page.writeUInt32LE(sequence, 18);
  page[26] = 1;
  page[27] = packet.length;
  packet.copy(page, 28);
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  page.writeUInt32LE(crc >>> 0, 22);
  return page;
}

/** Header of wide-band sound in mono, with a frame of 20 ms in each packet: RFC 5574, 3. */
function speexHeader(): Buffer {
  const header = Buffer.alloc(80);
  header.write('Speex   1.2', 0, 'latin1');
  const fields = [1, header.length, 16_000, 1, 4, 1, 0xffff_ffff, 320, 0, 1];
  for (const [at, value] of fields.entries()) header.writeUInt32LE(value, 28 + 4 * at);
  return header;
}

test('Speex in Ogg is measured by the positions of its pages', async () => {
  const file = new Blob([
    getPage(2, 0, 0, speexHeader()),
    getPage(0, 0, 1, Buffer.alloc(20)),
    getPage(0, 320, 2, Buffer.alloc(200, 1)),
    getPage(4, 640, 3, Buffer.alloc(200, 2)),
  ]);
  expect(await serverAudio.probe(file, {})).toMatchObject({
    container: 'ogg',
    codec: 'speex',
    sampleRate: 16_000,
    channelCount: 1,
    durationSeconds: expect.closeTo(0.04, 5),
  });
});

test('an Ogg stream whose clock does not start at 0 lasts from its first sample on', async () => {
  const file = new Blob([
    getPage(2, 0, 0, speexHeader()),
    getPage(0, 0, 1, Buffer.alloc(20)),
    getPage(0, 600_320, 2, Buffer.alloc(200, 1)),
    getPage(4, 600_640, 3, Buffer.alloc(200, 2)),
  ]);
  expect(await serverAudio.probe(file, {})).toMatchObject({ durationSeconds: expect.closeTo(0.04, 5) });
});

test('of several streams in Ogg the pages of the first count, however far from the end they are', async () => {
  const video = (flags: number, position: number, sequence: number) =>
    getPage(flags, position, sequence, Buffer.alloc(250, 3), 7);
  const file = new Blob([
    getPage(2, 0, 0, speexHeader()),
    video(2, 0, 0),
    getPage(0, 0, 1, Buffer.alloc(20)),
    video(0, 1_000_000, 1),
    getPage(0, 320, 2, Buffer.alloc(200, 1)),
    getPage(4, 640, 3, Buffer.alloc(200, 2)),
    ...Array.from({ length: 1500 }, (_, at) => video(0, 2_000_000 + at, at + 2)),
  ]);
  expect(await serverAudio.probe(file, {})).toMatchObject({
    codec: 'speex',
    durationSeconds: expect.closeTo(0.04, 5),
  });
});
