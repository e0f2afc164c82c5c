import type { Actor } from '../../identity/keys/index.ts';
import { redactJson } from '../../identity/request-log/index.ts';

/** Facts of a request for the log, beside those of HTTP. */
export interface RequestNote {
  /** Whose request it is. Without one it is not logged. */
  readonly actor?: Actor;
  /** `model_id` of the operation that is asked for. */
  readonly operationId?: string;
  readonly jobId?: string;
  /** JSON in short, without files and secrets. */
  readonly body?: object;
}

const notes = new WeakMap<Request, RequestNote>();

/** Notes something for the log of requests, which is written once the response begins. */
export function noteRequest(request: Request, note: RequestNote): void {
  notes.set(request, { ...notes.get(request), ...note });
}

/** Notes the JSON of a request: its files and secrets are left out here, so that no copy of them stays. */
export function noteBody(request: Request, body: object): void {
  noteRequest(request, { body: redactJson(body) });
}

/** Returns what was noted of a request. */
export function readNote(request: Request): RequestNote {
  return notes.get(request) ?? {};
}
