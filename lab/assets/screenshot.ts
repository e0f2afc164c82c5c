// Takes the screenshot of README.md: the background remover with its sample, in dark colours.
// Run again with `npx tsx lab/assets/screenshot.ts http://localhost:3000` with the product started; the result is
// committed.
import sharp from 'sharp';
import { launchChromium } from '../support/chromium.ts';

const [url = 'http://localhost:3000'] = process.argv.slice(2);

const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 840 }, colorScheme: 'dark' });
  await page.goto(`${url}/remove-bg`, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Try it with a sample' }).click();
  await page.getByRole('radio', { name: 'Compare' }).check({ timeout: 120_000 });
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready');
  await page.evaluate('Promise.all(document.getAnimations().map((animation) => animation.finished))');
  await sharp(await page.screenshot())
    .webp({ quality: 86 })
    .toFile('docs/studio.webp');
} finally {
  await browser.close();
}
