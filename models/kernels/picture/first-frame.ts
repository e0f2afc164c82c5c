import { OperationError } from '../../operation/errors.ts';
import type { FrameOptions, Picture } from '../../runtime/image-codec.ts';
import type { Frame } from '../../runtime/raster.ts';

export async function firstFrame(picture: Picture, options?: FrameOptions): Promise<Frame> {
  for await (const frame of picture.frames(options)) return frame;
  throw new OperationError('unprocessable', 'The image has no frames.', { kind: 'damaged' });
}
