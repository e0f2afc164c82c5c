/** HTTP status and short title of an error at the edge. */
export interface Problem {
  readonly status: number;
  readonly title: string;
}

/** Entry of the table of errors. */
export interface ErrorEntry extends Problem {
  /** Meaning, in one sentence for programmers. */
  readonly description: string;
  /** Whether the same request may succeed later, with the same Idempotency-Key. */
  readonly isTemporary: boolean;
}

const lasting = (status: number, title: string, description: string) =>
  ({ status, title, description, isTemporary: false }) as const satisfies ErrorEntry;
const temporary = (status: number, title: string, description: string) =>
  ({ status, title, description, isTemporary: true }) as const satisfies ErrorEntry;

/**
 * The one table of errors: a code for programs, with the HTTP status and short title used at the edge unless an
 * operation has its own. The OpenAPI document, the guides, the clients and the tests read it. Of the codes that share a
 * title, the first is that of a response without a code.
 */
export const ERRORS = {
  bad_request: lasting(400, 'Bad Request', 'A field is missing, unknown, of the wrong type or out of range.'),
  unfetchable: lasting(400, 'Bad Request', 'The URL of an input cannot be fetched.'),
  source_unavailable: temporary(
    400,
    'Bad Request',
    'The server of an input failed for a moment, several times; the same request may succeed after Retry-After.',
  ),
  unsupported: lasting(
    400,
    'Bad Request',
    'The operation does not accept the type of an input, or its size in pixels or duration.',
  ),
  too_large: lasting(400, 'Bad Request', 'An input has too many bytes.'),
  model_not_found: lasting(400, 'Model not found', 'The model is unknown, or disabled on this service.'),
  unauthorized: lasting(401, 'Unauthorized', 'The key is missing, unknown, expired or revoked.'),
  insufficient_balance: lasting(
    402,
    'Insufficient Balance',
    'The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price.',
  ),
  forbidden: lasting(403, 'Forbidden', 'The key may not run this operation.'),
  not_found: lasting(404, 'Not Found', 'Nothing of this kind belongs to this key’s account.'),
  method_not_allowed: lasting(405, 'Method Not Allowed', 'The path exists, but not with this method.'),
  request_timeout: temporary(408, 'Request Timeout', 'The request did not arrive in time.'),
  conflict: lasting(
    409,
    'Conflict',
    'The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload.',
  ),
  gone: lasting(410, 'Gone', 'The result has expired and was deleted.'),
  body_too_large: lasting(413, 'Content Too Large', 'The body of the request has too many bytes.'),
  unsupported_encoding: lasting(
    415,
    'Unsupported Media Type',
    'The Content-Encoding of the body is not accepted here; gzip is, for JSON and whole files.',
  ),
  range_not_satisfiable: lasting(416, 'Range Not Satisfiable', 'The range lies outside the file.'),
  expectation_failed: lasting(417, 'Expectation Failed', 'The header Expect asks for something unknown.'),
  unprocessable: lasting(
    422,
    'Unprocessable Entity',
    'This Idempotency-Key was used for another request, or the input turned out to be damaged.',
  ),
  over_memory: lasting(422, 'Unprocessable Entity', 'The input needs more memory than a run may use.'),
  canceled: lasting(422, 'Unprocessable Entity', 'The account canceled the job.'),
  output_delivery_failed: lasting(
    422,
    'Unprocessable Entity',
    'The result could not be delivered to `output_urls`, and `store` was false.',
  ),
  too_many_failures: lasting(
    422,
    'Unprocessable Entity',
    'The account had too many failed runs within the hour, so the job did not run.',
  ),
  too_many_requests: temporary(
    429,
    'Too Many Requests',
    'Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait.',
  ),
  headers_too_large: lasting(
    431,
    'Request Header Fields Too Large',
    'The headers of the request have too many bytes.',
  ),
  /** Aborted by the caller: by its own signal, or by closing the connection. */
  cancelled: lasting(499, 'Cancelled', 'The client left before the response, so it was not delivered.'),
  internal: temporary(500, 'Internal Server Error', 'A fault on our side; nothing was charged.'),
  crashed: temporary(500, 'Internal Server Error', 'The process of the run ended unexpectedly.'),
  interrupted: temporary(500, 'Internal Server Error', 'The run was interrupted too often.'),
  over_time: lasting(500, 'Internal Server Error', 'The run took longer than it may.'),
  unavailable: temporary(
    503,
    'Service Unavailable',
    'The service cannot accept jobs now; Retry-After says how long to wait.',
  ),
  storage_full: temporary(
    507,
    'Insufficient Storage',
    'The disk of the service is nearly full: only small files are stored now. Retry-After says how long to wait.',
  ),
  timeout: temporary(503, 'Service Unavailable', 'The result did not come in time; nothing was charged.'),
  engine_unavailable: lasting(
    503,
    'Service Unavailable',
    'The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory.',
  ),
  category_unavailable: lasting(
    503,
    'Service Unavailable',
    'No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged.',
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** Every code, in the order of the table. */
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];
