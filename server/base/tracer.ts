import { OperationError } from '../../models/core/operation/errors.ts';

interface Traced {
  readonly tracer?: Tracer;
}

/** Names of the spans, one for each step of a job's way. A request's span is named after its method and route. */
export const SPAN = {
  ingest: 'stage files',
  accept: 'accept job',
  wait: 'wait in queue',
  attempt: 'attempt job',
  claim: 'claim job',
  fetch: 'fetch input',
  run: 'run operation',
  store: 'store result',
  end: 'end job',
  deliver: 'deliver webhook',
} as const;

/**
 * Everything that a span may say. Keys, URLs, file names and texts of users have no place here: collectors are other
 * people's servers.
 */
export interface SpanAttributes {
  readonly 'http.request.method'?: string;
  /** Template of the path below `/api`. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  /** Code or class of an error, never its message. */
  readonly 'error.type'?: string;
  readonly 'darkroom.request_id'?: string;
  readonly 'darkroom.operation'?: string;
  readonly 'darkroom.lane'?: string;
  /** Number of the attempt at a job or delivery, from 1. */
  readonly 'darkroom.attempt'?: number;
  readonly 'darkroom.outcome'?: string;
  readonly 'darkroom.engine'?: string;
  /** Number of a stage's calls in a run, and the sum of their durations. */
  readonly 'darkroom.calls'?: number;
  readonly 'darkroom.busy_ms'?: number;
}

export interface SpanOptions {
  /** Defaults to an internal step. */
  readonly kind?: 'server' | 'producer' | 'consumer' | 'client';
  /** Traceparent of the span above it, where that is not the tracer's own; null begins a trace. */
  readonly parent?: string | null;
  /** Traceparent of the client's span that it belongs to. */
  readonly link?: string | null;
  /** Unix time in ms. Defaults to now. */
  readonly startMs?: number;
  readonly attributes?: SpanAttributes;
}

/** Place in a trace where new spans begin; of a process, it is outside of every trace. */
export interface Tracer {
  start(name: string, options?: SpanOptions): Span;
  /** Sends all spans that have ended. Takes a few seconds at most, and never rejects. */
  flush(): Promise<void>;
}

/** Span that has not ended. Spans that its tracer starts are below it. */
export interface Span extends Tracer {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Its place in the trace, as the W3C's header `traceparent` has it. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. */
  fail(errorType: string): void;
  /** @param endMs Unix time in ms; defaults to now */
  end(endMs?: number): void;
}

/**
 * Does work within a span that ends with it; without a tracer, only the work.
 * @param work receives the same context, where spans start below the new one
 */
export async function inSpan<Ctx extends Traced, Result>(
  ctx: Ctx,
  name: string,
  work: (ctx: Ctx, span: Span | undefined) => Promise<Result>,
  options?: SpanOptions,
): Promise<Result> {
  const span = ctx.tracer?.start(name, options);
  if (!span) return await work(ctx, undefined);
  try {
    return await work({ ...ctx, tracer: span }, span);
  } catch (thrown) {
    span.fail(getErrorType(thrown));
    throw thrown;
  } finally {
    span.end();
  }
}

function getErrorType(thrown: unknown): string {
  if (thrown instanceof OperationError) return thrown.code;
  return thrown instanceof Error ? thrown.constructor.name : typeof thrown;
}
