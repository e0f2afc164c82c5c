/** Global scope of a page or a worker, as far as it tells what its threads may share. */
interface Scope {
  readonly crossOriginIsolated?: boolean;
}

/**
 * Reports whether the threads of this page can share memory. WebKitGTK says that a page is isolated, and then shares
 * nothing.
 */
export function canShareMemory(): boolean {
  if (!(globalThis as Scope).crossOriginIsolated) return false;
  const { port1: port } = new MessageChannel();
  try {
    port.postMessage(new SharedArrayBuffer(1));
    return true;
  } catch {
    return false;
  } finally {
    port.close();
  }
}
