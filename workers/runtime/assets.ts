import { OperationError } from '../../models/errors.ts';
import type { ProgressMeter } from './progress-meter.ts';
import { type VendorFile, vendorPath } from './vendor.ts';

/** What parts of the runtime that load files need to know about the run. */
export interface Loading {
  readonly signal: AbortSignal;
  readonly meter: ProgressMeter;
}

/** Address of a file that came with the build. */
export function vendorUrl(file: VendorFile): string {
  return new URL(vendorPath(file), location.origin).href;
}

/**
 * Loads and compiles a WebAssembly file of ours while it arrives, and counts it into the run's progress.
 * @throws OperationError `unavailable` when it cannot be had
 */
export async function loadWasm(file: VendorFile, { signal, meter }: Loading): Promise<WebAssembly.Module> {
  const url = vendorUrl(file);
  try {
    const response = await fetch(url, { signal });
    if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`);
    const counted = response.body.pipeThrough(counter(file.bytes, meter.download()));
    return await WebAssembly.compileStreaming(
      new Response(counted, { headers: { 'content-type': 'application/wasm' } }),
    );
  } catch (cause) {
    signal.throwIfAborted();
    throw new OperationError(
      'unavailable',
      `A codec could not be loaded from ${url}. Check the connection and try again.`,
      { cause },
    );
  }
}

/** Passes bytes on, and tells how far they have come. */
function counter(
  bytesTotal: number,
  report: (fraction: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      report(Math.min(1, bytes / bytesTotal));
      controller.enqueue(chunk);
    },
  });
}
