import { OperationError } from '../../core/operation/errors.ts';
import type { FrameOptions, Picture } from '../../core/runtime/image-codec.ts';
import type { Frame } from '../../core/runtime/raster.ts';

export async function firstFrame(picture: Picture, options?: FrameOptions): Promise<Frame> {
  for await (const frame of picture.frames(options)) return frame;
  throw new OperationError('unprocessable', 'The image has no frames.', { kind: 'damaged' });
}
