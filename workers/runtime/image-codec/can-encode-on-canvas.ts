import type { ImageFormat } from '../../../models/core/runtime/image-codec.ts';

/** Reports whether this browser encodes a format: a canvas writes PNG in place of an unsupported one. */
export async function canEncodeOnCanvas(format: ImageFormat): Promise<boolean> {
  const canvas = new OffscreenCanvas(1, 1);
  canvas.getContext('2d');
  const type = `image/${format}`;
  return (await canvas.convertToBlob({ type })).type === type;
}
