/** Error of a stream whose source ended because another stream's reader did. */
export class ReaderStopped extends Error {}

/**
 * Splits a stream of rows into one stream for each column. The columns are read in step, so that no more than one row
 * is in memory. When one reader stops early, the source ends.
 * @throws Error of the source, for each reader; ReaderStopped for those who read on after another one stopped
 */
export function fanOut<Value>(
  source: AsyncIterable<readonly Value[]>,
  count: number,
): AsyncIterable<Value>[] {
  const rows = source[Symbol.asyncIterator]();
  let current: Promise<IteratorResult<readonly Value[]>> | null = null;
  let readers = 0;
  let isStopped = false;
  let release: () => void = () => {};
  let turn = new Promise<void>((resolve) => {
    release = resolve;
  });

  /** Waits until all readers have come, then reads one row for all of them. */
  async function nextRow(): Promise<IteratorResult<readonly Value[]>> {
    readers += 1;
    const own = turn;
    if (readers === count) {
      readers = 0;
      current = rows.next();
      release();
      turn = new Promise<void>((resolve) => {
        release = resolve;
      });
    }
    await own;
    if (isStopped) throw new ReaderStopped('another reader stopped');
    return await (current as Promise<IteratorResult<readonly Value[]>>);
  }

  async function* column(at: number): AsyncGenerator<Value> {
    let isWhole = false;
    try {
      for (let row = await nextRow(); !row.done; row = await nextRow()) yield row.value[at];
      isWhole = true;
    } finally {
      if (!isWhole && !isStopped) {
        isStopped = true;
        release();
        await rows.return?.();
      }
    }
  }

  return Array.from({ length: count }, (_, at) => column(at));
}
