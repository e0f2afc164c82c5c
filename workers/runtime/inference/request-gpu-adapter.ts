/** Chromium before 140 says on the adapter itself whether it is software. */
type Adapter = GPUAdapter & { readonly isFallbackAdapter?: boolean };

/**
 * Asks the browser for its GPU.
 * @returns null without one. Software in its place is none: it takes twenty times as long as WebAssembly does.
 */
export async function requestGpuAdapter(): Promise<GPUAdapter | null> {
  const adapter: Adapter | null = (await navigator.gpu?.requestAdapter()) ?? null;
  const isSoftware = adapter?.isFallbackAdapter ?? adapter?.info.isFallbackAdapter;
  return isSoftware ? null : adapter;
}
