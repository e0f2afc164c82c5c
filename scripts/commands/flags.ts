import { getMessage, OperationError } from '../../models/core/operation/errors.ts';

/** Splits a flag that holds names with commas between them. */
export function readNames(text: string): string[] {
  return text.split(',').map((id) => id.trim());
}

/**
 * Tells why a command failed, in the words of its flags.
 * @param flags flag for each field that the server's own messages name
 */
export function describeCommandError(error: unknown, flags: Readonly<Record<string, string>>): string {
  if (!(error instanceof OperationError)) return getMessage(error);
  return error.message.replace(/^\w+(?=: )/, (field) => flags[field] ?? field);
}
