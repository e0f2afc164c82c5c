import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../log.ts';

/** Logs when the collector stops taking spans, and when it takes them again: one line each, however long it lasts. */
export function reportExportFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    shutdown: () => exporter.shutdown(),
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !isFailing) log.warn({ reason: reasonOf(result.error) }, 'traces cannot be exported');
        else if (!failed && isFailing) log.info('traces are exported again');
        isFailing = failed;
        done(result);
      });
    },
  };
}

/** Returns a short reason: the error itself may hold the collector's whole response. */
function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  return String(error?.code ?? error?.message ?? 'unknown').slice(0, 200);
}
