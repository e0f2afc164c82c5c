/** Limit on deletions per statement: milliseconds of locks. */
export const PURGE_BATCH_ROWS = 500;
/** Limit on steps of one purge; the next purge deletes the rest. */
const BATCHES_MAX = 200;

/**
 * Repeats a step that deletes up to {@link PURGE_BATCH_ROWS} rows until none is left, so that no transaction grows
 * long.
 * @param step returns how many rows it has deleted
 * @returns how many were deleted in all
 */
export async function purgeInBatches(step: () => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let count = 0; count < BATCHES_MAX; count++) {
    const now = await step();
    deleted += now;
    if (now < PURGE_BATCH_ROWS) break;
  }
  return deleted;
}
