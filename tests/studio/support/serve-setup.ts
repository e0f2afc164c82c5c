import type { TestProject } from 'vitest/node';
import { servePages } from '../../../lab/support/serve-pages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the built pages, without a trailing slash. */
    studioUrl: string;
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await servePages();
  provide('studioUrl', url);
  return stop;
}
