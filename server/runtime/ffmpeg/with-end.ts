/** Yields all packets, then null, which makes a decoder return what it holds. */
export async function* withEnd<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item | null> {
  yield* items;
  yield null;
}
