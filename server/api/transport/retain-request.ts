/** Requests whose client may still leave, once for each who holds them: the handler, and the body of its response. */
const retainedRequests = new Set<{ readonly request: Request }>();

/**
 * Keeps a request from garbage collection until it has its whole response. Node 20 tells `request.signal` that the
 * client has left only while the request itself is referenced: whatever waits for the signal alone, such as a stream
 * or a promise, would be collected with it and never end.
 * @returns a function that releases the request
 */
export function retainRequest(request: Request): () => void {
  const hold = { request };
  retainedRequests.add(hold);
  return () => void retainedRequests.delete(hold);
}
