import type { Context } from '../../../base/context/context.ts';
import { inSpan, SPAN, type Span } from '../../../base/tracing/index.ts';
import type { Claim } from '../../index.ts';

/**
 * Makes an attempt at a claimed job within its span, below the one that accepted the job. Its wait and the claim are
 * known only now: their spans are written after the fact.
 * @param startMs Unix time when the claim began
 */
export async function inAttemptSpan(
  ctx: Context,
  claim: Claim,
  startMs: number,
  work: (ctx: Context, span: Span | undefined) => Promise<void>,
): Promise<void> {
  const parent = claim.traceparent;
  if (claim.attempt === 1 && parent !== null) {
    // The clocks of database and runner may differ.
    const acceptedMs = Math.min(claim.acceptedAt.getTime(), startMs);
    ctx.tracer?.start(SPAN.wait, { parent, startMs: acceptedMs }).end(startMs);
  }
  const { id, operationId, attempt } = claim;
  const attempted = async (inner: Context, span: Span | undefined) => {
    span?.start(SPAN.claim, { startMs }).end();
    await work(inner, span);
  };
  await inSpan(ctx, SPAN.attempt, attempted, {
    kind: 'consumer',
    parent,
    startMs,
    attributes: {
      'darkroom.request_id': id,
      'darkroom.operation': operationId,
      'darkroom.attempt': attempt,
    },
  });
}
