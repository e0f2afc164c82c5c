/**
 * Maps items with limited concurrency, results in order. After a failure it starts nothing new and throws once the
 * running items have finished.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  let failed = false;
  const lane = async (): Promise<void> => {
    // All workers draw from the one iterator.
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        results[index] = await work(item, index);
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(lanes, items.length) }, lane));
  const rejected = ends.find((end) => end.status === 'rejected');
  if (rejected) throw rejected.reason;
  return results;
}
