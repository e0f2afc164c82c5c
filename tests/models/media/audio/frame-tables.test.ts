import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../../../models/media/audio/formats/byte-reader.ts';
import { readApe, readTrueAudio } from '../../../../models/media/audio/formats/lossless.ts';
import { measureMp3End } from '../../../../models/media/audio/formats/mp3.ts';
import { measureEnd } from '../../../../models/media/audio/read/declared-end.ts';
import { openTracks } from '../../../../models/media/audio/read/open-tracks.ts';
import { audioFixture } from '../../../support/media/audio.ts';

/** Monkey's Audio file without sound, whose header states so many frames. */
function getApe(frameSamples: number, frames: number): ByteReader {
  const view = new DataView(new ArrayBuffer(150));
  view.setUint16(4, 3990, true);
  view.setUint32(8, 52, true);
  view.setUint32(12, 24, true);
  view.setUint32(16, 4, true);
  view.setUint32(56, frameSamples, true);
  view.setUint32(60, 1, true);
  view.setUint32(64, frames, true);
  view.setUint16(70, 2, true);
  view.setUint32(72, 44_100, true);
  return new ByteReader(new Blob([view.buffer]));
}

/** True Audio file without sound of a sample a second, whose header states so many samples. */
function getTta(samples: number): ByteReader {
  const view = new DataView(new ArrayBuffer(1_000));
  view.setUint16(6, 2, true);
  view.setUint32(10, 1, true);
  view.setUint32(14, samples, true);
  return new ByteReader(new Blob([view.buffer]));
}

it.each([
  ["Monkey's Audio of four billion empty frames", () => readApe(getApe(0, 0xffffffff))],
  ["Monkey's Audio of more frames than its table has", () => readApe(getApe(1, 9))],
  ['True Audio of more frames than the file holds', () => readTrueAudio(getTta(4_000_000))],
])('%s is refused before a table is made', async (_, read) => {
  await expect(read()).rejects.toThrow('its table of frames makes no sense');
});

it("Monkey's Audio of one frame is measured", async () => {
  expect(await readApe(getApe(1, 1))).toMatchObject({ codec: 'ape', channelCount: 2, sampleRate: 44_100 });
});

const tone = () => audioFixture('tone.mp3');
const measured = (file: Blob) => measureMp3End(new ByteReader(file));
/** Measures by mediabunny's walk over the packets. */
async function walked(file: Blob): Promise<number> {
  const { audio } = await openTracks(file, 'mp3');
  return audio ? (await measureEnd(audio)).endSeconds : 0;
}

describe('the end of an MP3 file', () => {
  it.each([
    ['whole', (file: Blob) => file],
    ['cut off within a frame', (file: Blob) => file.slice(0, file.size - 100)],
    ['with an ID3v1 tag', (file: Blob) => new Blob([file, 'TAG', new Uint8Array(125)])],
    ['longer than a window', (file: Blob) => new Blob(Array.from({ length: 300 }, () => file.slice(45)))],
  ])('is the one that a walk over all packets finds: %s', async (_name, change) => {
    const file = change(await tone());
    const end = await measured(file);
    expect(end).toBeGreaterThan(0.4);
    expect(end).toBeCloseTo(await walked(file), 9);
  });

  it('is left to that walk where anything else is between the frames', async () => {
    const file = await tone();
    expect(await measured(new Blob([file, 'abc'.repeat(99), file]))).toBeNull();
    expect(await measured(new Blob(['abcdefgh'.repeat(99)]))).toBeNull();
  });
});
