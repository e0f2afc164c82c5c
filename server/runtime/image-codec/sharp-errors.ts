import { OperationError } from '../../../models/errors.ts';

/** Rethrows an error of sharp as ours. Its text may span lines and names libvips classes: the first line is enough. */
export function decodingError(cause: unknown): never {
  if (cause instanceof OperationError) throw cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  const reason = (text.split('\n')[0] ?? '').replace(/^[A-Za-z_]*(load|save)?[A-Za-z_]*: (?=\S)/, '').trim();
  throw new OperationError('unprocessable', `The image cannot be converted: ${reason}`, { cause });
}
