import { z } from 'zod';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { assertStorable } from '../../../models/core/operation/storable-text.ts';

/** Packs the position where a page of a list ends into a text that URLs take. */
export function encodeCursor(parts: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Unpacks a cursor.
 * @param read turns its parts into a position; undefined when they are none
 * @throws OperationError `bad_request` when the text is no cursor of ours
 */
export function decodeCursor<TPosition>(
  text: string | null | undefined,
  read: (parts: readonly unknown[]) => TPosition | undefined,
): TPosition | undefined {
  if (text === null || text === undefined) return undefined;
  try {
    const position = read(JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]);
    if (position !== undefined) return position;
  } catch {
    // The error below covers this as well.
  }
  throw fieldError('cursor', 'is not one that this list gave.');
}

const TIME_AND_ID = z.tuple([z.iso.datetime({ precision: 3 }), z.string().max(200)]);

/** Packs and reads the cursor of a list by time and id. */
export const timeCursor = {
  pack: ({ createdAt, id }: { createdAt: Date; id: string }) => encodeCursor([createdAt.toISOString(), id]),
  unpack: (text: string | null | undefined) =>
    decodeCursor(text, (parts) => {
      const [at, id] = TIME_AND_ID.parse(parts);
      assertStorable(id);
      return at < '1970' ? undefined : { createdAt: new Date(at), id };
    }),
};
