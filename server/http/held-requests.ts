/** Requests whose client may still leave. */
const held = new Set<Request>();

/**
 * Keeps a request from garbage collection until it has its whole response. Node 20 tells `request.signal` that the
 * client has left only while somebody holds the request itself: whatever waits for the signal alone, such as a stream
 * or a promise, would be collected with it and never end.
 * @returns a function that releases the request
 */
export function holdRequest(request: Request): () => void {
  held.add(request);
  return () => void held.delete(request);
}
