import { countGifFrames } from '../gif/blocks.ts';
import { countPngFrames } from '../png/count-frames.ts';
import { readWebpChunks } from '../webp/chunks.ts';
import { imageFormatOf } from './image-header.ts';

/** Enough for the chunks before a PNG's samples. */
const HEAD_BYTES = 1_000_000;

/** Counts the frames of an animated GIF, WebP or PNG by its blocks, without decoding; 1 for every other file. */
export async function countFrames(image: Blob): Promise<number> {
  const head = new Uint8Array(await image.slice(0, HEAD_BYTES).arrayBuffer());
  const whole = async () => (head.length < image.size ? new Uint8Array(await image.arrayBuffer()) : head);
  switch (imageFormatOf(head)) {
    case 'gif':
      return countGifFrames(await whole());
    case 'png':
      return countPngFrames(head);
    case 'webp':
      return readWebpChunks(await whole()).filter(({ type }) => type === 'ANMF').length || 1;
    default:
      return 1;
  }
}
