import { getMessage, OperationError } from '../../../models/core/operation/errors.ts';

/** Words of sharp and libvips about themselves, before those about the image. */
const PREFIXES =
  /^(Input (buffer|file) (has corrupt header|contains unsupported image format)|\w*vips\w*|\w+load\w*)(: *|$)/i;

/** Rethrows an error of sharp as ours: the first line of its text, without the names of libvips classes. */
export function decodingError(cause: unknown): never {
  if (cause instanceof OperationError) throw cause;
  const [line = ''] = getMessage(cause).split('\n');
  let reason = line.trim();
  while (PREFIXES.test(reason)) reason = reason.replace(PREFIXES, '');
  throw new OperationError(
    'unprocessable',
    `The image is damaged or of an unsupported kind: ${reason || 'its header cannot be read'}.`,
    { cause },
  );
}

/**
 * Reports whether an error means lost samples. libjpeg calls all of this a warning and fills the gap with grey, and a
 * second try that ignores warnings would do the same.
 */
export function indicatesDamage(cause: unknown): boolean {
  return /Corrupt JPEG data: (premature end|bad Huffman|found marker)/.test(String(cause));
}
