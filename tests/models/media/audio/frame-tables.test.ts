import { expect, it } from 'vitest';
import { ByteReader } from '../../../../models/media/audio/formats/byte-reader.ts';
import { readApe, readTrueAudio } from '../../../../models/media/audio/formats/lossless.ts';

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
