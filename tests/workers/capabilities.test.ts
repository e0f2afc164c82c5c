import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import type { Capabilities, Placement } from '../../workers/device/placement.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';

interface Found {
  readonly capabilities: Capabilities;
  readonly placement: Placement;
}

const probeBy = (name: 'probeDevice' | 'probeCapabilities') => `(async () => {
  const capabilities = await ${name}();
  return { capabilities, placement: getPlacement('media-convert-image', capabilities) };
})()`;
const PROBE = probeBy('probeDevice');

describe('capabilities', () => {
  describe('of Chromium on an isolated page', () => {
    let page: WorkerPage;
    let found: Found;
    beforeAll(async () => {
      page = await openSharedWorkerPage();
      found = await page.page.evaluate<Found>(PROBE);
    });
    afterAll(() => page.stop());

    it('are those that this browser has', async () => {
      const { capabilities } = found;
      expect(capabilities.videoDecoders).toContain('VP9');
      expect(capabilities).toMatchObject({ isIsolated: true, hasFileStore: true });
      expect(capabilities.coreCount).toBeGreaterThan(0);
    });

    it('name a graphics card, or the reason why there is none', () => {
      const { gpu, gpuMissing } = found.capabilities;
      expect([gpu, gpuMissing].filter((fact) => fact === null)).toHaveLength(1);
    });

    it('place the conversion on the device', () => {
      expect(found.placement).toMatchObject({ where: 'device' });
    });

    it('do not fail where a browser lacks everything', async () => {
      const bare = await page.page.evaluate<Found>(`(async () => {
        for (const name of ['VideoDecoder', 'VideoEncoder']) delete globalThis[name];
        Object.defineProperty(navigator, 'storage', { value: undefined });
        return ${probeBy('probeCapabilities')};
      })()`);
      expect(bare.capabilities).toMatchObject({ hasFileStore: false, videoDecoders: [], videoEncoders: [] });
    });
  });

  it('leave images to the server when the page is not isolated', async () => {
    const page = await openSharedWorkerPage({ isolated: false });
    try {
      const { capabilities, placement } = await page.page.evaluate<Found>(PROBE);
      expect(capabilities.isIsolated).toBe(false);
      expect(placement).toMatchObject({ where: 'server', reason: expect.stringContaining('threads') });
    } finally {
      await page.stop();
    }
  });
});
