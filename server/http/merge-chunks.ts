import type { IncomingMessage } from 'node:http';

/** Bytes that are passed on at once. */
const CHUNK_BYTES = 16_384;

/**
 * Passes on a request's body in few chunks, however small those are that the client sends. Each chunk costs every
 * later step far more time and memory than its bytes: a body of single bytes would occupy the process for minutes.
 * Call it in the listener of `request`, before the body arrives.
 */
export function mergeChunks(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let pending: Buffer[] = [];
  let bytes = 0;
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
    pending.push(chunk);
    bytes += chunk.length;
    if (bytes >= CHUNK_BYTES) return flush();
    // Node's parser pauses the socket when it is told that enough is buffered.
    if (pending.length === 1) setImmediate(() => flush() || request.socket.pause());
    return true;
  };
}
