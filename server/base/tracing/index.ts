export { inSpan } from './in-span.ts';
export { openTracer } from './open-tracer.ts';
export { SPAN, type Span, type Tracer } from './tracer.ts';
