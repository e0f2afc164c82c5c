export { openTracer } from './open-tracer.ts';
export { inSpan, SPAN, type Span, type Tracer } from './tracer.ts';
