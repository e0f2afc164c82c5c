import type { Page } from 'playwright';
import type { TestFile } from './visit.ts';

/** Presses Tab, or Shift and Tab, until the named element has the focus. */
export async function tabTo(page: Page, name: string, { back = false } = {}): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      // A button has words for a mouse and for touch, of which one is shown.
      return (
        element?.getAttribute('aria-label') ?? element?.closest('label')?.textContent ?? element?.innerText
      );
    });
    if (focused?.trim() === name) return;
  }
  throw new Error(`"${name}" cannot be reached by Tab`);
}

/** Gives files to the system's picker, opened by the keyboard through the named button. */
export async function chooseFilesByKeyboard(
  page: Page,
  button: string,
  files: readonly TestFile[],
): Promise<void> {
  // Playwright intercepts the system's picker only once a listener exists, and a key may be faster.
  const asked = page.waitForEvent('filechooser');
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await (await asked).setFiles([...files]);
}
