// Makes the images that need type set: the social image and the home screen icon, in the product's own fonts. Run
// again with `npx tsx lab/assets/social-image.ts` after a change of look; the results are committed.
import { readFile } from 'node:fs/promises';
import { launchChromium } from '../support/chromium.ts';

const dataUrl = async (path: string, mediaType: string): Promise<string> =>
  `data:${mediaType};base64,${(await readFile(path)).toString('base64')}`;

const font = await dataUrl(
  'node_modules/@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2',
  'font/woff2',
);
const print = await dataUrl('public/samples/otter-1200.avif', 'image/avif');

const social = `
  <style>
    @font-face { font-family: Title; src: url(${font}) }
    body { margin: 0; width: 1200px; height: 630px; background: #0f0d0c; color: #efe8dc; font-family: Title;
      display: grid; grid-template-columns: 520px 1fr; gap: 48px; align-items: center; padding: 64px; box-sizing: border-box }
    h1 { margin: 0; font-size: 76px; line-height: 1; font-weight: 400; letter-spacing: -0.01em }
    p { margin: 0 0 32px; font-size: 36px; display: flex; align-items: center; gap: 16px }
    i { width: 16px; height: 16px; border-radius: 50%; background: #ff5a3c; box-shadow: 0 0 32px #ff5a3c }
    img { width: 100%; border: 14px solid #fbf8f2; box-sizing: border-box }
  </style>
  <div><p><i></i>Darkroom</p><h1>Images developed on your own device.</h1></div><img src="${print}">`;

const icon = `
  <style>body { margin: 0; background: #0f0d0c }</style>
  ${(await readFile('app/icon.svg', 'utf8')).replace('rx="7"', 'rx="0"').replace('<svg', '<svg width="180" height="180" style="display:block"')}`;

const browser = await launchChromium();
try {
  for (const [html, width, height, path] of [
    [social, 1200, 630, 'app/opengraph-image.png'],
    [icon, 180, 180, 'app/apple-icon.png'],
  ] as const) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(html, { waitUntil: 'load' });
    await page.evaluate('document.fonts.ready');
    await page.screenshot({ path });
    await page.close();
  }
} finally {
  await browser.close();
}
