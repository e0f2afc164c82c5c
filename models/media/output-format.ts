import { OperationError } from '../errors.ts';

/**
 * Returns the format of a result: the requested one, or the first.
 * @param formats allowed for the input
 * @param noun of the input, for the message: `an image`
 * @throws OperationError `bad_request` naming `output_format` when the requested one belongs to other inputs
 */
export function outputFormat<Format extends string>(
  formats: readonly [Format, ...Format[]],
  asked: string | undefined,
  noun: string,
): Format {
  const format = asked === undefined ? formats[0] : formats.find((known) => known === asked);
  if (format) return format;
  const message = `output_format: must be one of ${formats.join(', ')} for ${noun}.`;
  throw new OperationError('bad_request', message);
}
