import { expect, test } from 'vitest';
import { probeAudio } from '../../../../models/media/audio/read/probe-audio.ts';

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

function speexHeader(packetSamples = 0): Buffer {
  const header = Buffer.alloc(80);
  header.write('Speex   ', 0, 'latin1');
  header.writeUInt32LE(16_000, 36);
  header.writeUInt32LE(1, 48);
  header.writeUInt32LE(packetSamples, 56);
  header.writeUInt32LE(1, 64);
  return header;
}

test('Speex in Ogg is measured by the positions of its pages', async () => {
  const file = new Blob([
    getPage(2, 0, 0, speexHeader()),
    getPage(0, 0, 1, Buffer.alloc(20)),
    getPage(0, 16_000, 2, Buffer.alloc(200, 1)),
    getPage(4, 40_000, 3, Buffer.alloc(200, 2)),
  ]);
  expect(await probeAudio(file)).toMatchObject({
    container: 'ogg',
    codec: 'speex',
    sampleRate: 16_000,
    channelCount: 1,
    durationSeconds: 2.5,
  });
});

test('an Ogg stream whose clock does not start at 0 lasts from its first sample on', async () => {
  const file = new Blob([
    getPage(2, 0, 0, speexHeader(320)),
    getPage(0, 0, 1, Buffer.alloc(20)),
    getPage(0, 600_320, 2, Buffer.alloc(200, 1)),
    getPage(4, 600_640, 3, Buffer.alloc(200, 2)),
  ]);
  expect(await probeAudio(file)).toMatchObject({ durationSeconds: 0.04 });
});

test('of several streams in Ogg the pages of the first count, however far from the end they are', async () => {
  const video = (flags: number, position: number, sequence: number) =>
    getPage(flags, position, sequence, Buffer.alloc(250, 3), 7);
  const file = new Blob([
    getPage(2, 0, 0, speexHeader()),
    video(2, 0, 0),
    getPage(0, 0, 1, Buffer.alloc(20)),
    video(0, 1_000_000, 1),
    getPage(0, 16_000, 2, Buffer.alloc(200, 1)),
    getPage(4, 40_000, 3, Buffer.alloc(200, 2)),
    ...Array.from({ length: 1500 }, (_, at) => video(0, 2_000_000 + at, at + 2)),
  ]);
  expect(await probeAudio(file)).toMatchObject({ codec: 'speex', durationSeconds: 2.5 });
});
