import type { IncomingMessage } from 'node:http';

/** Bytes that are passed on at once. */
const CHUNK_BYTES = 16_384;
/** Chunks of a body that may be of any size. Beyond them their mean size is bounded. */
const FREE_CHUNKS = 10_000;
const MEAN_BYTES_MIN = 64;

/**
 * Passes on a request's body in few chunks, however small those are that the client sends. Each chunk costs every
 * later step far more time and memory than its bytes: a body of single bytes would occupy the process for minutes.
 * Even the parser takes a microsecond for each chunk, so that a body of very many tiny ones closes the connection. Call
 * it in the listener of `request`, before the body arrives.
 */
export function mergeChunks(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let pending: Buffer[] = [];
  let bytes = 0;
  let allChunks = 0;
  let allBytes = 0;
  const flush = (): boolean => {
    const merged = Buffer.concat(pending);
    pending = [];
    bytes = 0;
    return merged.length === 0 || push(merged);
  };
  request.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) {
      flush();
      return push(null);
    }
    allChunks += 1;
    allBytes += chunk.length;
    if (allChunks > FREE_CHUNKS && allBytes < allChunks * MEAN_BYTES_MIN) request.socket.destroy();
    pending.push(chunk);
    bytes += chunk.length;
    if (bytes >= CHUNK_BYTES) return flush();
    // Node's parser pauses the socket when it is told that enough is buffered.
    if (pending.length === 1) setImmediate(() => flush() || request.socket.pause());
    return true;
  };
}
