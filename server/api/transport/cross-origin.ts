/**
 * Headers of a request that the API and result files read, and a script of a page must announce. `X-Request-ID` and
 * `Upload-Metadata` are those of tus clients.
 */
const REQUEST_HEADERS = [
  'Authorization',
  'Ocp-Apim-Subscription-Key',
  'Accept',
  'Cache-Control',
  'Content-Encoding',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Prefer',
  'Range',
  'Traceparent',
  'Tracestate',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-HTTP-Method-Override',
  'X-Request-ID',
  'X-Requested-With',
  'X-Spending-Limit-USD',
  'X-Webhook-URL',
].join(', ');
/** Headers of a response that a script of a page may read, besides those that every browser shows. */
const RESPONSE_HEADERS = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'Deprecation',
  'Error-Code',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Mcp-Session-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'Tus-Resumable',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
  'X-Request-ID',
].join(', ');
/**
 * Headers that let scripts of pages of any origin read a response (CORS). Browsers withhold a response with the
 * wildcard from requests with cookies: a key or a signed URL is all that another origin can use.
 */
export const ANY_ORIGIN_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': RESPONSE_HEADERS,
};
/** One day: longer than any browser honours. */
const PREFLIGHT_SECONDS = 86_400;

/** Parts of a request that decide whether it is a preflight. */
type RequestHead = Pick<Request, 'method'> & { readonly headers: Pick<Headers, 'get'> };

/** Reports whether a browser asks for leave to send a request from a page of another origin. */
export function isPreflight({ method, headers }: RequestHead): boolean {
  return method === 'OPTIONS' && headers.get('access-control-request-method') !== null;
}

/** Responds to a preflight with what pages of any origin may send. */
export function preflightResponse(methods: readonly string[]): Response {
  return allowAnyOrigin(
    new Response(null, {
      status: 204,
      headers: {
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      },
    }),
  );
}

/** Adds `ANY_ORIGIN_HEADERS` to a response. */
export function allowAnyOrigin(response: Response): Response {
  for (const [name, value] of Object.entries(ANY_ORIGIN_HEADERS)) response.headers.set(name, value);
  return response;
}
