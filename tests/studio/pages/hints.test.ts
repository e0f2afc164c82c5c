import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { TOOL_LIST } from '../../../app/studio/tools/tools.ts';
import { connectBrowser, openPage } from '../support/visit.ts';

const visit = connectBrowser();
const visited = visit.share(() => visit('/', { viewport: { width: 1280, height: 720 } }));

/** More than the distance of two groups of settings, with a line between them. */
const GAP_MAX = 60;

/** Returns the largest height without text and controls in the settings, in pixels, and what follows it. */
function largestGap(page: Page): Promise<{ gap: number; before: string }> {
  return page.getByRole('complementary', { name: 'Settings' }).evaluate((settings) => {
    const parts = [...settings.querySelectorAll('*')]
      .filter((part) => part.children.length === 0 || part.matches('button, label, legend, p'))
      .map((part) => ({ text: part.textContent ?? '', box: part.getBoundingClientRect() }))
      .filter(({ text, box }) => box.height > 2 && (text.trim() !== '' || box.width > 20))
      .toSorted((one, other) => one.box.top - other.box.top);
    let largest = { gap: 0, before: '' };
    let bottom = parts[0]?.box.top ?? 0;
    for (const { text, box } of parts) {
      if (box.top - bottom > largest.gap) largest = { gap: box.top - bottom, before: text };
      bottom = Math.max(bottom, box.bottom);
    }
    return largest;
  });
}

test.each(TOOL_LIST)('$slug has no gaps after its hints', { tags: ['long'] }, async ({ slug }) => {
  const { page } = await visited();
  await openPage(page, `/${slug}`);
  await page.getByText('Where to run', { exact: true }).waitFor();
  const { gap, before } = await largestGap(page);
  expect(gap, `before "${before}"`).toBeLessThan(GAP_MAX);
});

test('at 1280 x 720 the place where a conversion runs is in view', async () => {
  const { page } = await visited();
  await openPage(page, '/convert');
  const { y = 0, height = 0 } = (await page.getByText('Where to run', { exact: true }).boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(720);
});
