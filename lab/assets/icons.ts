// Makes the icons of the installed app from app/icon.svg. Run again with `npx tsx lab/assets/icons.ts` after a
// change of the icon; the results are committed.
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';

const FOLDER = 'app/manifest.webmanifest';

const icon = await readFile('app/icon.svg', 'utf8');
// Systems cut a maskable icon to a shape of their own: its ground reaches the edges.
const maskable = icon.replace('rx="7"', 'rx="0"');

for (const [svg, name, size] of [
  [icon, 'icon', 192],
  [icon, 'icon', 512],
  [maskable, 'maskable', 512],
] as const) {
  const density = (72 * size) / 32;
  await sharp(Buffer.from(svg), { density })
    .resize(size, size)
    .png({ palette: true, effort: 10 })
    .toFile(`${FOLDER}/${name}-${size}.png`);
}
