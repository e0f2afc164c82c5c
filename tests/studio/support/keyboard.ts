import type { Page } from 'playwright';

/** Presses Tab, or Shift and Tab, until the focus is on what bears the name. */
export async function tabTo(page: Page, name: string, { back = false } = {}): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return (
        element?.getAttribute('aria-label') ?? element?.closest('label')?.textContent ?? element?.textContent
      );
    });
    if (focused?.trim() === name) return;
  }
  throw new Error(`"${name}" cannot be reached by Tab`);
}
