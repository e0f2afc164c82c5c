/** Time for which a refused body is still read and discarded. */
const DRAIN_MS = 5_000;

/**
 * Drains a refused body: most clients read the response only while they can send (RFC 9112, section 9.6). Never
 * rejects.
 */
export async function drainBody(body: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const stop = setTimeout(() => body.cancel().catch(() => {}), DRAIN_MS);
  try {
    while (!(await body.read()).done);
  } catch {
    // The client has left: no one waits for the response.
  } finally {
    clearTimeout(stop);
  }
}
