import { OperationError } from '../errors.ts';
import type { Picture } from '../image-codec.ts';
import type { Frame } from '../raster.ts';

export async function firstFrame(picture: Picture): Promise<Frame> {
  for await (const frame of picture.frames()) return frame;
  throw new OperationError('unprocessable', 'The image has no frames.');
}
