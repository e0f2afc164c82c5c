import type { ImageFormat } from '../../core/runtime/image-codec.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import { type Bytes, concat, u8 } from '../bytes/byte-writer.ts';
import { completeGif } from '../image/gif/complete-end.ts';
import { lacksJpegEnd } from '../image/jpeg/lacks-end.ts';
import { completePng } from '../image/png/complete-end.ts';
import { simplifyTiff } from '../image/tiff/simplify.ts';
import { completeWebp } from '../image/webp/complete-end.ts';

/** File as a decoder should read it. */
export interface ReadableFile {
  readonly bytes: Bytes;
  /** Whether its end was missing: its samples need not be complete, which its decoder must check. */
  readonly wasCompleted: boolean;
  readonly warnings: readonly RunWarning[];
}

/**
 * Makes an image file readable for strict decoders: adds an end that is missing after the image itself, as browsers
 * tolerate, and makes a TIFF lead to its full pictures only.
 * @param bytes of the caller, which may be changed
 */
export function completeFile(bytes: Bytes, format: ImageFormat): ReadableFile {
  switch (format) {
    case 'jpeg':
      return lacksJpegEnd(bytes) ? completed(closeJpeg(bytes), 'its end marker') : asItIs(bytes);
    case 'png': {
      const whole = completePng(bytes);
      return whole ? completed(whole, 'its last chunk') : asItIs(bytes);
    }
    case 'gif': {
      const whole = completeGif(bytes);
      return whole ? completed(whole, 'its trailer') : asItIs(bytes);
    }
    case 'webp': {
      const whole = completeWebp(bytes);
      return whole ? completed(whole, 'its last chunk') : asItIs(bytes);
    }
    case 'tiff':
      return withFullPages(bytes);
    default:
      return asItIs(bytes);
  }
}

function asItIs(bytes: Bytes): ReadableFile {
  return { bytes, wasCompleted: false, warnings: [] };
}

function completed(bytes: Bytes, part: string): ReadableFile {
  return { bytes, wasCompleted: true, warnings: [formatWarning('missing_end', part)] };
}

/** Half of the marker may be there. */
function closeJpeg(bytes: Bytes): Bytes {
  return concat([bytes.at(-1) === 0xff ? bytes.subarray(0, -1) : bytes, u8(0xff, 0xd9)]);
}

function withFullPages(file: Bytes): ReadableFile {
  const { bytes, beganReduced } = simplifyTiff(file);
  return { bytes, wasCompleted: false, warnings: beganReduced ? [formatWarning('reduced_copy')] : [] };
}
