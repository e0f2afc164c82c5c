import { type Bytes, concat } from '../../../models/media/bytes/byte-writer.ts';

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
 * @throws TypeError when it is damaged or truncated; RangeError when it has more bytes
 */
export async function inflateWithin(packed: Bytes, bytesMax: number): Promise<Bytes> {
  const parts: Bytes[] = [];
  let length = 0;
  const reader = through([packed], new DecompressionStream('deflate')).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > bytesMax) throw new RangeError(`The stream has more than ${bytesMax} bytes.`);
    parts.push(read.value);
  }
  return concat(parts);
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
