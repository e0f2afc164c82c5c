import type { ImageFormat } from '../../../models/image-codec.ts';

/** Whether this browser has an encoder for a format: a canvas writes PNG in place of what it cannot write. */
export async function canvasWrites(format: ImageFormat): Promise<boolean> {
  const canvas = new OffscreenCanvas(1, 1);
  canvas.getContext('2d');
  const type = `image/${format}`;
  return (await canvas.convertToBlob({ type })).type === type;
}
