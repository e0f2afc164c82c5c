import { OperationError } from '../../errors.ts';
import type { FrameOptions, Picture } from '../../image-codec.ts';
import type { Frame } from '../../raster.ts';

export async function firstFrame(picture: Picture, options?: FrameOptions): Promise<Frame> {
  for await (const frame of picture.frames(options)) return frame;
  throw new OperationError('unprocessable', 'The image has no frames.', { kind: 'damaged' });
}
