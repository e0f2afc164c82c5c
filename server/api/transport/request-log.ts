import type { Context } from '../../base/context.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { openRequestLog, redactJson, redactTarget, redactText } from '../../identity/request-log/index.ts';
import { CLIENT_ADDRESS } from './client-address.ts';
import { REQUEST_ID_HEADER } from './problem.ts';

/** Longest text of a header that is kept. */
const HEADER_LENGTH_MAX = 255;

/** Messages of errors are at most this long. */
const PROBLEM_TEXT_LENGTH_MAX = 1_000;

interface RespondedRequest {
  readonly response: Response;
  readonly durationMs: number;
}

/** Facts of a request for the log, besides those of HTTP. */
export interface RequestAnnotations {
  /** Whose request it is. Without one it is not logged. */
  readonly actor?: Actor;
  /** `model_id` of the operation that is asked for. */
  readonly operationId?: string;
  readonly jobId?: string;
  /** JSON in short, without files and secrets. */
  readonly body?: object;
}

const annotations = new WeakMap<Request, RequestAnnotations>();

/** Annotates a request for the log of requests, which is written once the response begins. */
export function annotateRequestLog(request: Request, added: RequestAnnotations): void {
  annotations.set(request, { ...annotations.get(request), ...added });
}

/** Annotates a request with its JSON: its files and secrets are left out here, so that no copy of them stays. */
export function annotateBody(request: Request, body: object): void {
  annotateRequestLog(request, { body: redactJson(body) });
}

/** Returns the annotations of a request. */
export function readAnnotations(request: Request): RequestAnnotations {
  return annotations.get(request) ?? {};
}

/**
 * Adds a request of a key or a session to the log of its account. Anybody else's is not logged. It takes no time of the
 * response: what is logged is written later.
 */
export function logRequest(ctx: Context, request: Request, { response, durationMs }: RespondedRequest): void {
  const { actor, ...note } = readAnnotations(request);
  if (!actor || ctx.env.REQUEST_LOG_DAYS === 0) return;
  const url = new URL(request.url);
  const { accountId, keyId } = actor;
  const entry = {
    accountId,
    keyId,
    createdAt: new Date(Date.now() - durationMs),
    method: request.method,
    path: redactTarget(url),
    status: response.status,
    requestId: response.headers.get(REQUEST_ID_HEADER) ?? '',
    jobId: note.jobId ?? getJobId(url.pathname),
    operationId: note.operationId ?? null,
    durationMs,
    address: request.headers.get(CLIENT_ADDRESS),
    userAgent: getHeader(request, 'user-agent'),
    idempotencyKey: getHeader(request, 'idempotency-key'),
    body: note.body ?? null,
  };
  const log = openRequestLog(ctx);
  if (response.ok) log.add({ ...entry, problem: null });
  else void readProblem(response).then((problem) => log.add({ ...entry, problem }));
}

/** Reads a copy of the body of a response without success; null where it is not JSON. Never rejects. */
async function readProblem(response: Response): Promise<object | null> {
  try {
    return redactJson((await response.clone().json()) as object, PROBLEM_TEXT_LENGTH_MAX);
  } catch {
    return null;
  }
}

/** Returns the id of the job that a path names. */
function getJobId(path: string): string | null {
  const [, id] = /^\/api\/v2\/requests\/(?:status\/)?([^/]+)/.exec(path) ?? [];
  // Escapes stay: one that is broken must not fail the response.
  return id === undefined ? null : redactText(id).slice(0, HEADER_LENGTH_MAX);
}

function getHeader({ headers }: Request, name: string): string | null {
  const text = headers.get(name);
  return text === null ? null : redactText(text.slice(0, HEADER_LENGTH_MAX));
}
