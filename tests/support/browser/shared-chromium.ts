import { type Browser, chromium } from 'playwright';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket endpoint of the Chromium that all files of a project share. */
    chromiumUrl: string;
  }
}

/** Connects to the shared Chromium. Closing the connection closes the pages that were opened through it. */
export function connectChromium(): Promise<Browser> {
  return chromium.connect(inject('chromiumUrl'));
}
