import fc from 'fast-check';
import { BlobSource, Input, MP4 } from 'mediabunny';
import { expect, test } from 'vitest';
import { hasAvcFields } from '../../../../models/media/containers/avc-fields.ts';
import { videoFixture } from '../../../support/media/videos.ts';

async function configurationOf(name: string): Promise<Uint8Array> {
  const input = new Input({ source: new BlobSource(await videoFixture(name)), formats: [MP4] });
  const config = await (await input.getPrimaryVideoTrack())?.getDecoderConfig();
  return config?.description as Uint8Array;
}

test.each([
  ['top-first.mp4', true],
  ['bottom-first.mp4', true],
  ['partly-interlaced.mp4', true],
  ['moving.mp4', false],
  ['fragmented.mp4', false],
])('%s states whether it has fields', async (name, hasFields) => {
  expect(hasAvcFields(await configurationOf(name))).toBe(hasFields);
});

test('no bytes keep the reader busy', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      bytes[8] = 0x67;
      bytes[9] = 100;
      expect(typeof hasAvcFields(bytes)).toBe('boolean');
    }),
    { seed: 1234, numRuns: 300 },
  );
});
