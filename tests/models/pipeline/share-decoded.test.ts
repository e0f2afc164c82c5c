import { expect, test } from 'vitest';
import type { ImageCodec, Picture } from '../../../models/core/runtime/image-codec.ts';
import { shareDecoded } from '../../../models/pipeline/share-decoded.ts';

test('holds few large images at once: the one that was used last stays, and the earliest is decoded again', async () => {
  const decoded: Blob[] = [];
  const picture = { width: 6_000, height: 4_000, frameCount: 1 } as Picture;
  const codec = {
    async decode(input: Blob) {
      decoded.push(input);
      return picture;
    },
    hold: async (given: Picture) => given,
  } as Partial<ImageCodec> as ImageCodec;
  const images = shareDecoded(codec, { isShared: () => true, isBetween: () => false });
  const files = ['a', 'b', 'c'].map((text) => new Blob([text]));
  const [a, b, c] = files as [Blob, Blob, Blob];
  const { signal } = new AbortController();
  const decode = (input: Blob) => images.decode(input, { frames: 'first', colour: 'srgb', signal });
  for (const file of [a, b, a, c, a]) await decode(file);
  expect(decoded).toEqual([a, b, c]);
  await decode(b);
  expect(decoded).toEqual([a, b, c, b]);
});
