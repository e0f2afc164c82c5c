type Bytes = Uint8Array<ArrayBuffer>;

/** Compresses bytes into a zlib stream, with the browser's own zlib. */
export async function* deflate(pieces: Iterable<Bytes> | AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  const reader = through(pieces, new CompressionStream('deflate')).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * Decompresses a zlib stream.
 * @throws TypeError when it is damaged or truncated
 */
export async function inflate(packed: Bytes): Promise<Bytes> {
  const unpacked = through([packed], new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/**
 * Decompresses a zlib stream piece by piece, without keeping it.
 * @throws TypeError when it is damaged or truncated
 */
export async function drainInflated(packed: Bytes): Promise<void> {
  const reader = through([packed], new DecompressionStream('deflate')).getReader();
  while (!(await reader.read()).done);
}

function through(
  pieces: Iterable<Bytes> | AsyncIterable<Bytes>,
  transform: ReadableWritablePair<Bytes, Bytes>,
): ReadableStream<Bytes> {
  const iterator = toAsyncPieces(pieces);
  const source = new ReadableStream<Bytes>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return();
    },
  });
  return source.pipeThrough(transform);
}

/** Yields pieces that are there already, or that come one by one. */
async function* toAsyncPieces(pieces: Iterable<Bytes> | AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  yield* pieces;
}
