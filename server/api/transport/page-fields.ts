import { z } from 'zod';

const PAGE_MAX = 100;

/** Last page of a list, or where the next one begins. */
export const nextCursor = z.string().nullable().meta({ description: 'null on the last page.' });

/**
 * Returns the fields of the query of a list in pages.
 * @param things what a page holds, such as `Uploads`
 */
export function pageFields(things: string) {
  return {
    cursor: z.string().max(300).optional().meta({ description: 'next_cursor of the page before.' }),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(PAGE_MAX)
      .default(25)
      .meta({ description: `${things} on a page, 1 to ${PAGE_MAX}.` }),
  };
}
