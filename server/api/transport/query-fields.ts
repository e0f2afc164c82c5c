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
    limit: wholeNumber(1, PAGE_MAX)
      .prefault(25)
      .meta({ description: `${things} on a page, 1 to ${PAGE_MAX}.` }),
  };
}

/**
 * Returns the schema of a whole number in a query: of digits alone, where `Number` reads `0x10`, `1e1` and nothing, too.
 * @param documented schema that the documentation shows; the number's own when absent
 */
export function wholeNumber(min: number, max: number, documented = z.number().int().min(min).max(max)) {
  return z.preprocess((text, context) => {
    const number = /^\d{1,15}$/.test(String(text)) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    context.addIssue({ code: 'custom', message: `must be a whole number, ${min} to ${max}` });
    return z.NEVER;
  }, documented);
}
