import { openWorkerPage, type WorkerPage } from '../support/worker-page.ts';
import { benchFirstResults } from './first-results.ts';
import { median, ms, ratio, report } from './measure.ts';
import { benchNetworkFloor } from './network-floor.ts';
import { phonePhotoHeic, photoJpeg } from './pictures.ts';

const QUALITY = 92;
const ROUNDS = 5;

/**
 * Benchmarks conversion on the device compared with the browser's own codecs and libheif, in one page and alternating, and the
 * wait for a first result.
 */
export async function benchBrowser(): Promise<void> {
  const page = await openWorkerPage();
  try {
    const [jpeg, heic] = [await photoJpeg(4032, 3024), await phonePhotoHeic()];
    await compare(page, jpeg, {
      name: 'on device, 12 MP JPEG -> WebP',
      toFormat: 'webp',
      bare: 'bareWebp',
      ratioMax: 1.5,
    });
    await compare(page, heic, {
      name: 'on device, 12 MP HEIC -> JPEG',
      toFormat: 'jpg',
      bare: 'bareHeicToJpeg',
      ratioMax: 1.2,
    });
  } finally {
    await page.stop();
  }
  await benchFirstResults();
  await benchNetworkFloor();
}

interface Comparison {
  readonly name: string;
  readonly toFormat: string;
  /** Function of lab/support/page/bare.ts. */
  readonly bare: string;
  readonly ratioMax: number;
}

async function compare(page: WorkerPage, file: Uint8Array, comparison: Comparison): Promise<void> {
  const path = await page.put(new Blob([new Uint8Array(file)]));
  const times = await page.page.evaluate<{ whole: number[]; bare: number[] }>(`(async () => {
    const { ${comparison.bare}: bareWay } = await import('/bare.js');
    const input = await (await fetch('${path}')).blob();
    const params = { to_format: '${comparison.toFormat}', quality: ${QUALITY} };
    const timed = async (work) => {
      const startedAt = performance.now();
      await work();
      return performance.now() - startedAt;
    };
    const whole = [];
    const bare = [];
    for (let round = 0; round <= ${ROUNDS}; round++) {
      const times = [
        await timed(() => bareWay(input, ${QUALITY})),
        await timed(() => run('media-convert-image', input, params)),
      ];
      // The first round loads scripts and compiles.
      if (round > 0) {
        bare.push(times[0]);
        whole.push(times[1]);
      }
    }
    return { whole, bare };
  })()`);
  const [whole, bare] = [median(times.whole), median(times.bare)];
  report(comparison.name, {
    'whole run': ms(whole),
    bare: ms(bare),
    ratio: `${ratio(whole, bare)} (at most ${comparison.ratioMax})`,
  });
}
