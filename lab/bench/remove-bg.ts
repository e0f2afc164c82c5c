import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { createIsnetStandIn } from './isnet-stand-in.ts';
import { photoJpeg } from './pictures.ts';
import { benchSessionOverhead, benchSessionOverheadInBrowser } from './session-overhead.ts';

const WIDTH = 4032;
const HEIGHT = 3024;
/** Limit on everything around the session, as a share of the session's own time. */
const SHARE_MAX = 0.25;
const OWN_WEIGHTS = fileURLToPath(new URL('../../models/weights/matte.onnx', import.meta.url));

/**
 * Measures the cost around the model's own run for a 12-megapixel photo: with the bundled model, and with one as
 * large as the hub's, that one in the browser too.
 */
export async function benchRemoveBg(): Promise<void> {
  const photo = new Blob([await subjectJpeg()]);
  const bench = {
    operation: 'remove-bg',
    photo,
    rest: 'resize, refine, cut out',
    shareMax: SHARE_MAX,
  } as const;
  const { model, gigaMacs } = createIsnetStandIn();
  const own = new Uint8Array(await readFile(OWN_WEIGHTS));
  await benchSessionOverhead({ ...bench, engine: 'matte', model: own, title: '12 MP, our own network' });
  const large = {
    ...bench,
    engine: 'isnet-general-use',
    model,
    title: `12 MP, a network like IS-Net, ${gigaMacs.toFixed(0)} GMAC`,
  };
  await benchSessionOverhead(large);
  await benchSessionOverheadInBrowser(large);
}

/** Draws a red disc with a soft edge, which the stand-in finds, on a photo. */
async function subjectJpeg(): Promise<Uint8Array<ArrayBuffer>> {
  const disc = `<svg width="${WIDTH}" height="${HEIGHT}">
    <radialGradient id="soft"><stop offset="92%" stop-color="#e01020"/><stop offset="100%" stop-color="#e01020" stop-opacity="0"/></radialGradient>
    <circle cx="2000" cy="1500" r="1040" fill="url(#soft)"/>
  </svg>`;
  const jpeg = await sharp(await photoJpeg(WIDTH, HEIGHT))
    .composite([{ input: Buffer.from(disc) }])
    .jpeg({ quality: 90 })
    .toBuffer();
  return new Uint8Array(jpeg);
}
