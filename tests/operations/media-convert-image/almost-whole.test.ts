import { openAsBlob } from 'node:fs';
import { expect, test } from 'vitest';
import { messagesOf } from '../../../models/runtime/run-warnings.ts';
import { convert, decodeFrames, imageFixture, psnr } from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';

const warning = (part: string) => `The file ends too early: ${part} is missing. The image itself is there.`;

const CASES = [
  ['camera.jpg', 2, 'its end marker'],
  ['camera.jpg', 1, 'its end marker'],
  ['interlaced.png', 12, 'its last chunk'],
  ['interlaced.png', 14, 'its last chunk'],
  ['interlaced.png', 3, 'its last chunk'],
  ['deep.png', 12, 'its last chunk'],
  ['animated.gif', 1, 'its trailer'],
] as const;

test.each(CASES)(
  '%s without its last %i bytes is decoded, with a warning that %s is missing',
  async (name, cut, part) => {
    const whole = await imageFixture(name);
    const { files, warnings } = await convert(whole.slice(0, whole.size - cut), { to_format: 'tiff' });
    expect(messagesOf(warnings)).toEqual([warning(part)]);
    const [expected, found] = [await decodeFrames(whole), await decodeFrames(files[0]?.blob ?? new Blob([]))];
    expect(found).toHaveLength(expected.length);
    found.forEach((frame, place) => {
      expect(psnr(expected[place] ?? frame, frame)).toBeGreaterThan(99);
    });
  },
);

test.each([
  ['camera.jpg', 6],
  ['camera.jpg', 60],
  ['interlaced.png', 24],
  ['animated.gif', 5],
] as const)('%s without its last %i bytes lacks samples, and is rejected', async (name, cut) => {
  const whole = await imageFixture(name);
  await expect(convert(whole.slice(0, whole.size - cut), { to_format: 'tiff' })).rejects.toMatchObject({
    code: 'unprocessable',
  });
});

const cut = sharedData('cases/images/jpeg-no-eoi.jpg');
test.skipIf(cut.isMissing)(
  cut.titled('a photo without its end marker is decoded with a warning'),
  async () => {
    const { warnings } = await convert(await openAsBlob(cut.path), { to_format: 'png' });
    expect(messagesOf(warnings)).toEqual([warning('its end marker')]);
  },
);
