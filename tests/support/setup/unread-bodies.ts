const responses: Response[] = [];

/** Remembers a response, so that `cancelUnreadBodies` can release what the service holds for its reader. */
export function trackBody(response: Response): Response {
  responses.push(response);
  return response;
}

/**
 * Cancels the bodies that no test has read. Each takes one of the places of this process until its reader times out,
 * and the next file runs in the same process.
 */
export async function cancelUnreadBodies(): Promise<void> {
  await Promise.all(responses.splice(0).map(({ body }) => body?.locked || body?.cancel()));
}
