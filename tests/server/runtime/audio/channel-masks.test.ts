import { openAsBlob } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generateTone } from '../../../../lab/fixtures/audio-pattern.ts';
import { readAacMask } from '../../../../models/media/audio/formats/aac.ts';
import { audioFixture, decodeSamples, levelChange, serverAudio, snr } from '../../../support/media/audio.ts';
import { sharedData } from '../../../support/media/shared-data.ts';

const RATE = 48_000;
const AMBISONIC_GUID = '0100000021 07d3118644c8c1ca000000'.replace(' ', '');

/** Makes a WAV file with a mask, whose channels are silent but one. */
function wavWith(
  channelCount: number,
  mask: number,
  loud: number,
  guid = '0100000000001000800000aa00389b71',
) {
  const tone = generateTone(0, RATE);
  const data = new Int16Array(tone.length * channelCount);
  tone.forEach((sample, at) => {
    data[at * channelCount + loud] = Math.round(sample * 32_767);
  });
  const head = Buffer.alloc(68);
  head.write('RIFF', 0);
  head.writeUInt32LE(60 + data.byteLength, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(40, 16);
  head.writeUInt16LE(0xfffe, 20);
  head.writeUInt16LE(channelCount, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * channelCount * 2, 28);
  head.writeUInt16LE(channelCount * 2, 32);
  head.writeUInt16LE(16, 34);
  head.writeUInt16LE(22, 36);
  head.writeUInt16LE(16, 38);
  head.writeUInt32LE(mask, 40);
  head.write(guid, 44, 'hex');
  head.write('data', 60);
  head.writeUInt32LE(data.byteLength, 64);
  return new Blob([head, data]);
}

/** Replaces the number of channels in each head of a stereo ADTS file by a list of them in its first frame. */
function listingChannels(whole: Uint8Array): Uint8Array<ArrayBuffer> {
  // Id 5, tag 0, AAC LC at 44.1 kHz, one element in front, a pair; no mixes, no comment.
  const list = Uint8Array.of(0b1010_0000, 0b1010_0000, 0b1000_0000, 0, 0b0000_0100, 0, 0);
  const frames: Uint8Array[] = [];
  for (let at = 0; at < whole.length; ) {
    const bytes =
      (((whole[at + 3] as number) & 3) << 11) |
      ((whole[at + 4] as number) << 3) |
      ((whole[at + 5] as number) >> 5);
    const added = at === 0 ? list : new Uint8Array(0);
    const head = whole.slice(at, at + 7);
    const length = bytes + added.length;
    head[2] = (head[2] as number) & 0xfe;
    head[3] = ((head[3] as number) & 0x3c) | (length >> 11);
    head[4] = (length >> 3) & 255;
    head[5] = ((length & 7) << 5) | ((head[5] as number) & 31);
    frames.push(head, added, whole.subarray(at + 7, at + bytes));
    at += bytes;
  }
  return new Uint8Array(Buffer.concat(frames));
}

describe('the speakers of channels', () => {
  const shape = { sampleRate: RATE, channelCount: 2 } as const;

  test.each([
    ['2.1: the bass effects are left out', 3, 0xb, 2, [0, 0]],
    ['3.1: the centre is on both sides', 4, 0xf, 2, [Math.SQRT1_2, Math.SQRT1_2]],
    ['4.0: the back is on both sides', 4, 0x107, 3, [0.5, 0.5]],
    ['quadraphony: the back right is right', 4, 0x33, 3, [0, Math.SQRT1_2]],
  ])('of a WAV file in %s', async (_, channelCount, mask, loud, gains) => {
    const sides = await decodeSamples(wavWith(channelCount, mask, loud), shape);
    for (const [side, gain] of gains.entries()) {
      const level = levelChange(generateTone(0, RATE), sides[side] as Float32Array);
      if (gain === 0) expect(level).toBe(Number.NEGATIVE_INFINITY);
      else expect(level).toBeCloseTo(20 * Math.log10(gain), 1);
    }
  });

  test('of ambisonic sound do not exist: it is refused with words', async () => {
    await expect(serverAudio.probe(wavWith(4, 0, 0, AMBISONIC_GUID), {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('ambisonic'),
    });
  });

  test('of AAC follow its configuration', () => {
    expect(readAacMask(Uint8Array.of(0x11, 0xa0))).toBe(0x107);
    expect(readAacMask(Uint8Array.of(0x11, 0xb0))).toBe(0x3f);
    expect(readAacMask(Uint8Array.of(0x11, 0xb8))).toBe(0x63f);
    expect(readAacMask(Uint8Array.of(0x11, 0x90))).toBeNull();
  });

  // As FFmpeg's encoder writes them.
  test.each([
    ['2.1', '118004c4010020000d', 0xb],
    ['3.1', '118004c8010020000d', 0xf],
    ['4.1', '118004c844002000880d', 0x10f],
    ['quadraphony at the sides', '118004c4400021100d', 0x603],
  ])('of AAC that lists its channels one by one: %s', (_, config, mask) => {
    expect(readAacMask(Buffer.from(config, 'hex'))).toBe(mask);
  });

  test('of ADTS that lists its channels one by one are read', async () => {
    const whole = new Uint8Array(await (await audioFixture('tone.aac')).arrayBuffer());
    const listed = listingChannels(whole);
    const [expected, found] = [new Blob([whole]), new Blob([listed])];
    const { durationSeconds, ...facts } = await serverAudio.probe(expected, {});
    const probed = await serverAudio.probe(found, {});
    expect(probed).toMatchObject(facts);
    expect(probed.durationSeconds).toBeCloseTo(durationSeconds, 6);
    const [one, other] = [await decodeSamples(expected, shape), await decodeSamples(found, shape)];
    expect(snr(one[0] as Float32Array, other[0] as Float32Array)).toBeGreaterThan(60);
    expect(snr(one[1] as Float32Array, other[1] as Float32Array)).toBeGreaterThan(60);
  });

  const shared = sharedData('cases/media/aac-4.0-centre.m4a');
  test.skipIf(shared.isMissing)(
    shared.titled('of AAC in 4.0: the centre is on both sides'),
    { tags: ['long'] },
    async () => {
      const [left, right] = await decodeSamples(await openAsBlob(shared.path), shape);
      expect(levelChange(left as Float32Array, right as Float32Array)).toBeCloseTo(0, 1);
    },
  );
});
