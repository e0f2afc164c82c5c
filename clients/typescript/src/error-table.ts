// Written by `npm run generate` from the table of errors. Do not edit.
export const ERRORS = {
  /** A field is missing, unknown, of the wrong type or out of range. */
  bad_request: {"status":400,"title":"Bad Request","isTemporary":false},
  /** The URL of an input cannot be fetched. */
  unfetchable: {"status":400,"title":"Bad Request","isTemporary":false},
  /** The server of an input failed for a moment, several times; the same request may succeed after Retry-After. */
  source_unavailable: {"status":400,"title":"Bad Request","isTemporary":true},
  /** The operation does not accept the type of an input, or its size in pixels or duration. */
  unsupported: {"status":400,"title":"Bad Request","isTemporary":false},
  /** An input has too many bytes. */
  too_large: {"status":400,"title":"Bad Request","isTemporary":false},
  /** The model is unknown, or disabled on this service. */
  model_not_found: {"status":400,"title":"Model not found","isTemporary":false},
  /** The key is missing, unknown, expired or revoked. */
  unauthorized: {"status":401,"title":"Unauthorized","isTemporary":false},
  /** The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
  insufficient_balance: {"status":402,"title":"Insufficient Balance","isTemporary":false},
  /** The key may not run this operation. */
  forbidden: {"status":403,"title":"Forbidden","isTemporary":false},
  /** Nothing of this kind belongs to this key’s account. */
  not_found: {"status":404,"title":"Not Found","isTemporary":false},
  /** The path exists, but not with this method. */
  method_not_allowed: {"status":405,"title":"Method Not Allowed","isTemporary":false},
  /** The request did not arrive in time. */
  request_timeout: {"status":408,"title":"Request Timeout","isTemporary":true},
  /** The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
  conflict: {"status":409,"title":"Conflict","isTemporary":false},
  /** The result has expired and was deleted. */
  gone: {"status":410,"title":"Gone","isTemporary":false},
  /** The body of the request has too many bytes. */
  body_too_large: {"status":413,"title":"Content Too Large","isTemporary":false},
  /** The Content-Encoding of the body is not accepted here; gzip is, for JSON and whole files. */
  unsupported_encoding: {"status":415,"title":"Unsupported Media Type","isTemporary":false},
  /** The range lies outside the file. */
  range_not_satisfiable: {"status":416,"title":"Range Not Satisfiable","isTemporary":false},
  /** The header Expect asks for something unknown. */
  expectation_failed: {"status":417,"title":"Expectation Failed","isTemporary":false},
  /** This Idempotency-Key was used for another request, or the input turned out to be damaged. */
  unprocessable: {"status":422,"title":"Unprocessable Entity","isTemporary":false},
  /** The input needs more memory than a run may use. */
  over_memory: {"status":422,"title":"Unprocessable Entity","isTemporary":false},
  /** The account canceled the job. */
  canceled: {"status":422,"title":"Unprocessable Entity","isTemporary":false},
  /** The result could not be delivered to `output_urls`, and `store` was false. */
  output_delivery_failed: {"status":422,"title":"Unprocessable Entity","isTemporary":false},
  /** The account had too many failed runs within the hour, so the job did not run. */
  too_many_failures: {"status":422,"title":"Unprocessable Entity","isTemporary":false},
  /** Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
  too_many_requests: {"status":429,"title":"Too Many Requests","isTemporary":true},
  /** The headers of the request have too many bytes. */
  headers_too_large: {"status":431,"title":"Request Header Fields Too Large","isTemporary":false},
  /** The client left before the response, so it was not delivered. */
  cancelled: {"status":499,"title":"Cancelled","isTemporary":false},
  /** A fault on our side; nothing was charged. */
  internal: {"status":500,"title":"Internal Server Error","isTemporary":true},
  /** The process of the run ended unexpectedly. */
  crashed: {"status":500,"title":"Internal Server Error","isTemporary":true},
  /** The run was interrupted too often. */
  interrupted: {"status":500,"title":"Internal Server Error","isTemporary":true},
  /** The run took longer than it may. */
  over_time: {"status":500,"title":"Internal Server Error","isTemporary":false},
  /** The service cannot accept jobs now; Retry-After says how long to wait. */
  unavailable: {"status":503,"title":"Service Unavailable","isTemporary":true},
  /** The disk of the service is nearly full: only small files are stored now. Retry-After says how long to wait. */
  storage_full: {"status":507,"title":"Insufficient Storage","isTemporary":true},
  /** The result did not come in time; nothing was charged. */
  timeout: {"status":503,"title":"Service Unavailable","isTemporary":true},
  /** The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. */
  engine_unavailable: {"status":503,"title":"Service Unavailable","isTemporary":false},
  /** No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
  category_unavailable: {"status":503,"title":"Service Unavailable","isTemporary":false},
} as const;
