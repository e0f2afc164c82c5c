import { SPANS } from '../../../models/core/runtime/spans.ts';
import type { Span } from '../../base/tracer.ts';
import type { RunEnd, StageTime } from '../runs/index.ts';

/**
 * Describes an ended run in its span, with a span for each stage that its child reports.
 * @param startMs Unix time of the run's start
 */
export function describeRun(span: Span, end: RunEnd, startMs: number): void {
  span.set({ 'darkroom.outcome': end.kind });
  if (end.kind === 'done') span.set({ 'darkroom.engine': end.engine });
  else span.fail(end.kind === 'failed' ? end.code : end.kind);
  if (end.kind !== 'done' && end.kind !== 'failed') return;
  const endMs = Date.now();
  for (const stage of SPANS) {
    const time = end.stages?.find((each) => each.stage === stage);
    if (time) writeStage(span, time, { startMs, endMs });
  }
}

/** Times come from a process that a file may have taken over: none leaves the run. */
function writeStage(
  span: Span,
  { stage, calls, busyMs, startedAtMs, endedAtMs }: StageTime,
  run: { readonly startMs: number; readonly endMs: number },
): void {
  const startMs = clamp(startedAtMs, run.startMs, run.endMs);
  const endMs = clamp(endedAtMs, startMs, run.endMs);
  const attributes = { 'darkroom.calls': Number(calls), 'darkroom.busy_ms': Math.round(Number(busyMs)) };
  span.start(stage, { startMs, attributes }).end(endMs);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, Number(value) || min));
}
