type Bytes = Uint8Array<ArrayBuffer>;

/** Compresses bytes into a zlib stream, with the browser's own zlib. */
export function deflate(pieces: Iterable<Bytes>): Promise<Bytes> {
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
  pieces: Iterable<Bytes>,
  transform: ReadableWritablePair<Bytes, Bytes>,
): Promise<Bytes> {
  const iterator = pieces[Symbol.iterator]();
  const source = new ReadableStream<Bytes>({
    pull(controller) {
      const { value, done } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Uint8Array(await new Response(source.pipeThrough(transform)).arrayBuffer());
}
