import { expect, onTestFinished, test, vi } from 'vitest';
import { WHITE } from '../../../../models/core/runtime/raster.ts';
import { createImageCodec } from '../../../../server/runtime/image-codec/index.ts';
import { sharpLibvips } from '../../../../server/runtime/image-codec/sharp-libvips.ts';
import { imageFixture } from '../../../support/media/images.ts';

const { signal } = new AbortController();

test.each([
  ['camera.jpg', 'webp'],
  ['camera.jpg', 'png'],
  ['fading.png', 'jpeg'],
])('%s is decoded once for its conversion to %s, though it is measured first', async (name, format) => {
  const render = vi.spyOn(sharpLibvips, 'render');
  onTestFinished(() => render.mockRestore());
  const images = createImageCodec();
  const picture = await images.decode(await imageFixture(name), { frames: 'first', colour: 'srgb', signal });
  await images.encode(picture, { format, quality: 80, background: WHITE, metadata: {}, signal });
  const sources = render.mock.calls.map(([{ source }]) => source.kind);
  expect(sources).toEqual(['file', 'samples']);
});
