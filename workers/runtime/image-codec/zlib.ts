type Bytes = Uint8Array<ArrayBuffer>;

/** Compresses bytes into a zlib stream, with the browser's own zlib. */
export function deflate(pieces: Iterable<Bytes> | AsyncIterable<Bytes>): Promise<Bytes> {
  return through(pieces, new CompressionStream('deflate'));
}

/**
 * Decompresses a zlib stream.
 * @throws TypeError when it is damaged or truncated
 */
export function inflate(packed: Bytes): Promise<Bytes> {
  return through([packed], new DecompressionStream('deflate'));
}

async function through(
  pieces: Iterable<Bytes> | AsyncIterable<Bytes>,
  transform: ReadableWritablePair<Bytes, Bytes>,
): Promise<Bytes> {
  const iterator = inTurn(pieces);
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
  return new Uint8Array(await new Response(source.pipeThrough(transform)).arrayBuffer());
}

/** Yields pieces that are there already, or that come one by one. */
async function* inTurn(pieces: Iterable<Bytes> | AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  yield* pieces;
}
