/** Limit on deletions per statement: milliseconds of locks. */
export const PURGE_STEP = 500;
/** Limit on steps of one purge; the next purge deletes the rest. */
const STEPS_MAX = 200;

/**
 * Repeats a step that deletes up to {@link PURGE_STEP} rows until none is left, so that no transaction grows long.
 * @param step returns how many rows it has deleted
 * @returns how many were deleted in all
 */
export async function purgeInSteps(step: () => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let count = 0; count < STEPS_MAX; count++) {
    const now = await step();
    deleted += now;
    if (now < PURGE_STEP) break;
  }
  return deleted;
}
