// Written by `npm run generate` from the table of errors. Do not edit.
export const ERRORS = {
  bad_request: {
    status: 400,
    title: 'Bad Request',
    description: 'A field is missing, unknown, of the wrong type or out of range.',
    isTemporary: false,
  },
  unfetchable: {
    status: 400,
    title: 'Bad Request',
    description: 'The URL of an input cannot be fetched.',
    isTemporary: false,
  },
  unsupported: {
    status: 400,
    title: 'Bad Request',
    description: 'The operation does not accept the type of an input, or its size in pixels or duration.',
    isTemporary: false,
  },
  too_large: {
    status: 400,
    title: 'Bad Request',
    description: 'An input has too many bytes.',
    isTemporary: false,
  },
  model_not_found: {
    status: 400,
    title: 'Model not found',
    description: 'The model is unknown, or disabled on this service.',
    isTemporary: false,
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    description: 'The key is missing, unknown, expired or revoked.',
    isTemporary: false,
  },
  insufficient_balance: {
    status: 402,
    title: 'Insufficient Balance',
    description: 'The wallet or the key’s monthly cap does not cover the price.',
    isTemporary: false,
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    description: 'The key may not run this operation.',
    isTemporary: false,
  },
  not_found: {
    status: 404,
    title: 'Not Found',
    description: 'Nothing of this kind belongs to this key’s account.',
    isTemporary: false,
  },
  method_not_allowed: {
    status: 405,
    title: 'Method Not Allowed',
    description: 'The path exists, but not with this method.',
    isTemporary: false,
  },
  request_timeout: {
    status: 408,
    title: 'Request Timeout',
    description: 'The request did not arrive in time.',
    isTemporary: true,
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    description:
      'The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload.',
    isTemporary: false,
  },
  gone: {
    status: 410,
    title: 'Gone',
    description: 'The result has expired and was deleted.',
    isTemporary: false,
  },
  body_too_large: {
    status: 413,
    title: 'Content Too Large',
    description: 'The body of the request has too many bytes.',
    isTemporary: false,
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range Not Satisfiable',
    description: 'The range lies outside the file.',
    isTemporary: false,
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation Failed',
    description: 'The header Expect asks for something unknown.',
    isTemporary: false,
  },
  unprocessable: {
    status: 422,
    title: 'Unprocessable Entity',
    description: 'This Idempotency-Key was used for another request, or the input turned out to be damaged.',
    isTemporary: false,
  },
  over_memory: {
    status: 422,
    title: 'Unprocessable Entity',
    description: 'The input needs more memory than a run may use.',
    isTemporary: false,
  },
  canceled: {
    status: 422,
    title: 'Unprocessable Entity',
    description: 'The account canceled the job.',
    isTemporary: false,
  },
  too_many_failures: {
    status: 422,
    title: 'Unprocessable Entity',
    description: 'The account had too many failed runs within the hour, so the job did not run.',
    isTemporary: false,
  },
  too_many_requests: {
    status: 429,
    title: 'Too Many Requests',
    description:
      'Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait.',
    isTemporary: true,
  },
  headers_too_large: {
    status: 431,
    title: 'Request Header Fields Too Large',
    description: 'The headers of the request have too many bytes.',
    isTemporary: false,
  },
  cancelled: {
    status: 499,
    title: 'Cancelled',
    description: 'The client left before the response, so nobody reads it.',
    isTemporary: false,
  },
  internal: {
    status: 500,
    title: 'Internal Server Error',
    description: 'A fault on our side; nothing was charged.',
    isTemporary: true,
  },
  crashed: {
    status: 500,
    title: 'Internal Server Error',
    description: 'The process of the run ended unexpectedly.',
    isTemporary: true,
  },
  interrupted: {
    status: 500,
    title: 'Internal Server Error',
    description: 'The run was interrupted too often.',
    isTemporary: true,
  },
  over_time: {
    status: 500,
    title: 'Internal Server Error',
    description: 'The run took longer than it may.',
    isTemporary: false,
  },
  unavailable: {
    status: 503,
    title: 'Service Unavailable',
    description: 'The service cannot accept jobs now; Retry-After says how long to wait.',
    isTemporary: true,
  },
  timeout: {
    status: 503,
    title: 'Service Unavailable',
    description: 'The result did not come in time; nothing was charged.',
    isTemporary: true,
  },
  engine_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    description:
      'The engine cannot run on this installation: its weights are missing, or it needs too much memory.',
    isTemporary: false,
  },
  category_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    description:
      'No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged.',
    isTemporary: false,
  },
} as const;
