import { getFormat } from '../../../models/media/image/find-format.ts';

/** Reports whether this browser encodes a format: a canvas writes PNG in place of an unsupported one. */
export async function canEncodeOnCanvas(format: string): Promise<boolean> {
  const canvas = new OffscreenCanvas(1, 1);
  canvas.getContext('2d');
  const type = getFormat(format).mediaType;
  return (await canvas.convertToBlob({ type })).type === type;
}
