// @module-tag long

import { openAsBlob, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { OperationError } from '../../models/core/operation/errors.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { convertToBlob, decodeFirstFrame, psnr } from '../support/media/images.ts';
import { sharedData } from '../support/media/shared-data.ts';

const SHARED = sharedData('data/convert');

/** Folders and their selected files. The twin is golden.test.ts, with small files of our own. */
const SELECTION: Record<string, RegExp> = {
  bmpsuite: /^[bgq]_.*bmp$/,
  exif_orientation: /_[568]\.jpg$/,
  exif_samples: /^(jpg_(gps|invalid|xmp)|tiff).*/,
  hostile: /\.(jpg|png|gif|webp|avif|heic|tif)$/,
  pillow: /\.(gif|jpg|webp|tif)$/,
  pngsuite: /^(.*16|tb.*|basi.*|x.*)\.png$/,
  webp: /webp$/,
};

/** Known differences between the realms beyond a step, with the reason. */
const KNOWN_DB: Record<string, number> = {
  'hostile/imagepng_invalid_palette_index.png': 0, // colours that the palette does not have
  'hostile/libavif_unsupported_gainmap_version.avif': 30, // two methods of chroma upsampling
  'pillow/icc_profile_big.jpg': 40, // a table-based profile, two colour engines
  'pillow/pil_sample_cmyk.jpg': 43, // no embedded CMYK profile: one uses a profile, the other a grid of it
};

/** Files that only one realm's library reads. */
const ONE_SIDED = new Set(['hostile/libavif_sofa_grid1x5_420_dimg_repeat.avif', 'pillow/hopper_webp.tif']);

/** 16 bits per sample of a TIFF become 8 in the browser; a rounding step remains. */
const STEP_DB = 48;

const FILES = SHARED.isMissing
  ? []
  : Object.entries(SELECTION).flatMap(([folder, names]) =>
      readdirSync(resolve(SHARED.path, folder))
        .filter((name) => names.test(name))
        .map((name) => `${folder}/${name}`)
        .filter((path) => !ONE_SIDED.has(path)),
    );

describe.skipIf(SHARED.isMissing)(SHARED.titled('conformance files'), () => {
  let page: WorkerPage;
  beforeAll(async () => {
    page = await openSharedWorkerPage();
  });
  afterAll(() => page.stop());

  test.each(FILES)('%s has the same outcome on the device and on the server', async (path) => {
    const params = { to_format: 'png' };
    const input = await openAsBlob(resolve(SHARED.path, path));
    const onDevice = await page.convert(input, params);
    const onServer = await convertToBlob(input, params).catch((thrown: unknown) => {
      if (thrown instanceof OperationError) return thrown;
      throw thrown;
    });
    if (onServer instanceof OperationError) {
      expect(onDevice).toMatchObject({ ok: false, code: onServer.code });
      return;
    }
    expect(onDevice).toMatchObject({ ok: true });
    const [server, device] = [
      await decodeFirstFrame(onServer),
      await decodeFirstFrame(new Blob([onDevice.bytes])),
    ];
    expect(psnr(server, device)).toBeGreaterThan(KNOWN_DB[path] ?? STEP_DB);
  });
});
