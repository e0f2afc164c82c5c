import { afterEach, expect, test, vi } from 'vitest';
import { comparisonVideo } from '../../../app/studio/stage/draw-comparison.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a recording in a hidden tab, which draws no frames, can be cancelled', async () => {
  const context = new Proxy(
    {},
    {
      get: (_, name) =>
        name === 'canvas' ? canvas : name === 'measureText' ? () => ({ width: 9 }) : () => {},
      set: () => true,
    },
  );
  const canvas = {
    ...{ width: 0, height: 0 },
    getContext: () => context,
    captureStream: () => ({ getTracks: () => [] }),
  };
  vi.stubGlobal('document', { createElement: () => canvas });
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal(
    'MediaRecorder',
    class extends EventTarget {
      start() {}
      stop() {
        this.dispatchEvent(new Event('stop'));
      }
    },
  );
  const image = { width: 4, height: 4, close() {} };
  const images = { before: image, after: image, words: { before: 'Before', after: 'After' } };
  const ending = new AbortController();
  const recorded = comparisonVideo(images, 'video/webm', { signal: ending.signal, onProgress: () => {} });
  ending.abort(new Error('ended'));
  await expect(recorded).rejects.toThrow('ended');
});
