import type { Page } from 'playwright';

/**
 * Holds back the codecs and models that a page's workers load, so that work with them lasts.
 * @returns a function that lets them through
 */
export async function delayCodecs(page: Page): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.context().route('**/*.wasm', async (route) => {
    await released;
    // The page may have cancelled the request.
    await route.continue().catch(() => {});
  });
  return release;
}
