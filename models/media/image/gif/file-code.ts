import { ByteWindow } from '../../bytes/byte-window.ts';
import { animationOf, completedFile } from '../format/file-parts.ts';
import type { ImageFileCode } from '../format/image-format.ts';
import { assertGifImage } from './assert-gif-image.ts';
import { countGifFrames } from './blocks.ts';
import { completeGif } from './complete-end.ts';

export const gifFileCode: ImageFileCode = {
  /** Reads the logical screen size: GIF89a, section 18. Frames may be smaller, never larger. */
  async readSize(bytes) {
    const view = await bytes.read(6, 4);
    return { width: view.getUint16(0, true), height: view.getUint16(2, true) };
  },
  assertHeader: (file) => assertGifImage(new ByteWindow(file)),
  readContents: (file) => animationOf(countGifFrames(file)),
  complete: (file) => completedFile(completeGif(file), 'its trailer'),
};
