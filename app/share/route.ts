/**
 * Sends a share back to the home page, without reading it. The service worker receives shares in the browser; they come
 * here only once it is deleted.
 */
export function POST(): Response {
  return new Response(null, { status: 303, headers: { Location: '/?shared=failed' } });
}
