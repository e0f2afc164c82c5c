import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import type { InputFacts, Media } from '../../../models/core/operation/inputs.ts';

/** Probe of a local file. */
export interface ProbeRequest {
  /** Operation whose limits apply; none of the file's own when absent. */
  readonly operationId?: string;
  readonly path: string;
  /** Expected kinds of the file. */
  readonly media: readonly Media[];
}

/** Message of a child: it can serve, or how a probe ended. */
export type ProbeMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'facts'; readonly facts: InputFacts }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  /** A bug of ours. */
  | { readonly kind: 'broken'; readonly detail: string };
