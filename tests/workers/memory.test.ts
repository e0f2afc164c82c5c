// @module-tag long

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { openWorkerPage } from '../../lab/support/worker-page.ts';
import { watchMemory } from '../support/processes/memory.ts';

const SIDE = 8000;

async function largest(): Promise<Blob> {
  const subject = sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#d02030' } });
  const picture = sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#208030' } })
    .composite([{ input: await subject.png({ compressionLevel: 1 }).toBuffer(), left: 2000, top: 2000 }])
    .jpeg();
  return new Blob([new Uint8Array(await picture.toBuffer())]);
}

describe('the largest image of remove-bg needs less than 1.5 GB in the tab', () => {
  test.each(['png', 'webp', 'jpeg'])('as transparent %s', { timeout: 480_000 }, async (format) => {
    const page = await openWorkerPage();
    const path = await page.put(await largest());
    const memory = watchMemory(process.pid);
    const [size, bytes] = await page.page.evaluate<[string, number]>(`(async () => {
      const input = await (await fetch('${path}')).blob();
      const { details, files } = await run('remove-bg', input, { output_format: '${format}' });
      return [details.original_size, files[0].blob.size];
    })()`);
    const peakBytes = await memory.stop();
    await page.stop();
    expect(size).toBe('8000x8000');
    expect(bytes).toBeGreaterThan(100_000);
    expect(peakBytes).toBeGreaterThan(SIDE * SIDE * 4);
    expect(peakBytes).toBeLessThan(1_500_000_000);
  });
});
