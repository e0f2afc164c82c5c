import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import type { ProbedFacts } from '../../base/context.ts';

/** Message of a child: it can serve, or how a probe ended. */
export type ProbeMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'facts'; readonly facts: ProbedFacts }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  /** A bug of ours. */
  | { readonly kind: 'broken'; readonly detail: string };
