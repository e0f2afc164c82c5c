import { OperationError } from '../../models/core/operation/errors.ts';
import type { Runtime } from '../../models/core/runtime/runtime.ts';
import { needsGplEncoder } from '../../models/media/image/gpl-formats.ts';

type Codecs = Pick<Runtime, 'images' | 'video'>;

/**
 * Removes GPL encoders from codecs. Requests for their formats are rejected earlier; this stops jobs that were
 * accepted before the setting changed.
 */
export function rejectGplEncoders({ images, video }: Codecs): Codecs {
  return {
    images: {
      decode: images.decode,
      async encode(picture, options) {
        assertNotGpl(options.format);
        return images.encode(picture, options);
      },
    },
    video: {
      ...video,
      async encode(frames, options) {
        assertNotGpl(options.format);
        return video.encode(frames, options);
      },
    },
  };
}

function assertNotGpl(format: string): void {
  if (!needsGplEncoder(format)) return;
  throw new OperationError(
    'unprocessable',
    `${format} needs a GPL encoder, which this service leaves out. Choose another format.`,
  );
}
