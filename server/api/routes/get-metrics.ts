import { getMetrics as readMetrics } from '../metrics.ts';
import { defineRoute } from '../route.ts';

/** The figures of this process and of the queue, for Prometheus. */
export const getMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  audience: 'operators',
  handle: ({ ctx, request }) => readMetrics(ctx, request),
});
