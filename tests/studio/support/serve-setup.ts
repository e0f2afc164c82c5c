import type { TestProject } from 'vitest/node';
import { servePages } from '../../support/serve-pages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built pages are served, without a slash at the end. */
    studioUrl: string;
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await servePages();
  provide('studioUrl', url);
  return stop;
}
