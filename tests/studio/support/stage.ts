import type { Locator, Page } from 'playwright';

export const well = (page: Page) => page.getByRole('group', { name: 'Image view' });
/** Returns the zoom as the page says it. */
export const zoomWords = (page: Page) => page.getByTitle('Show the whole image').textContent();

/** Opens the note on how the shown result was made. */
export const openNotes = (page: Page) => page.locator('summary[aria-label="How it was made"]').click();

/** Returns the place of an element on the page. @throws Error when it is not there */
export async function getBox(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not on the page.');
  return { left: box.x, top: box.y, width: box.width, height: box.height };
}

/** Presses keys with the focus on the stage, which shows the whole image before. */
export async function pressOn(page: Page, ...keys: string[]): Promise<void> {
  for (const key of ['0', ...keys]) await well(page).press(key);
}
