import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Lists broken rules and their places, by axe-core: WCAG 2.2 A and AA, and good practice. */
export async function listAccessibilityViolations(page: Page): Promise<string[]> {
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  // Colours halfway through an animation are no fault.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}

/** Lists broken rules in the light theme, then in the dark one, which stays. */
export async function listViolationsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await listAccessibilityViolations(page);
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}
