import { createTimeoutSignal } from '../../base/signals.ts';
import { retainRequest } from './retain-request.ts';

interface StreamBodyOptions {
  readonly request: Request;
  /** Longest time without a read by the client. Defaults to what the server allows (stalled-connections.ts). */
  readonly stallMs?: number;
  /** Longest time in which the client reads the whole body; none when absent. */
  readonly totalMs?: number;
  /** Releases the source. Called once: at the end, after a failure, or when the client leaves or stops reading. */
  close(): void;
}

/**
 * Wraps chunks as a response body that streams at the client's pace. It fails when the client reads nothing for
 * `stallMs`: a client that never reads would hold the source.
 */
export function streamBody(
  chunks: AsyncIterable<Uint8Array>,
  { request, stallMs, totalMs, close }: StreamBodyOptions,
): ReadableStream<Uint8Array> {
  const signal = totalMs === undefined ? request.signal : createTimeoutSignal(totalMs, request.signal);
  const release = retainRequest(request);
  const iterator = chunks[Symbol.asyncIterator]();
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    release();
    close();
  };
  const watch = (controller: ReadableStreamDefaultController) => {
    if (stallMs === undefined) return;
    timer = setTimeout(() => {
      end();
      controller.error(new Error(`The client has read nothing for ${stallMs} ms.`));
    }, stallMs).unref();
  };
  return new ReadableStream(
    {
      start(controller) {
        const leave = () => {
          if (isEnded) return;
          end();
          controller.error(signal.reason);
        };
        watch(controller);
        // A client that left before the first chunk never cancels the body.
        signal.addEventListener('abort', leave, { once: true });
        if (signal.aborted) leave();
      },
      async pull(controller) {
        clearTimeout(timer);
        const { done, value } = await iterator.next().catch((thrown) => {
          end();
          throw thrown;
        });
        if (isEnded) return;
        if (done) {
          end();
          controller.close();
        } else {
          controller.enqueue(value);
          watch(controller);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
