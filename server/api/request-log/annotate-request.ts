import type { Actor } from '../../identity/keys/index.ts';
import { redactJson } from '../../identity/request-log/index.ts';

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
