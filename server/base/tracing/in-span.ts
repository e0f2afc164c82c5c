import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Span, SpanOptions, Tracer } from './tracer.ts';

interface Traced {
  readonly tracer?: Tracer;
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
