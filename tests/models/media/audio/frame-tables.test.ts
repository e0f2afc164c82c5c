import { describe, expect, it } from 'vitest';
import { measureEnd } from '../../../../models/media/audio/read/declared-end.ts';
import { openTracks } from '../../../../models/media/audio/read/open-tracks.ts';
import { measureMp3End } from '../../../../models/media/audio/repair/frame-heads.ts';
import { ByteReader } from '../../../../models/media/bytes/byte-reader.ts';
import { audioFixture } from '../../../support/media/audio.ts';

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
