// @module-tag long

import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { probeAudio } from '../../../models/media/audio/read/probe-audio.ts';
import { probeVideo } from '../../../models/media/containers/video-header.ts';
import { readBmpHeader } from '../../../models/media/image/bmp/read-bmp.ts';
import { getImageFormat, listFormats } from '../../../models/media/image/find-format.ts';
import { endsBetweenGifBlocks } from '../../../models/media/image/gif/blocks.ts';
import { probeImage } from '../../../models/media/image/image-header.ts';
import { readMatrixProfile } from '../../../models/media/image/metadata/read-profile.ts';
import { readMetadata } from '../../../models/media/image/metadata.ts';
import { probeUprightImage } from '../../../models/media/image/upright-image.ts';
import { arbitraryMutation, CountedBlob, listFixtures } from '../../support/media/mutated-files.ts';
import { OTHER_CONTAINERS, writeOtherContainers } from '../../support/media/other-containers.ts';

/** Seed of all mutations. On a failure, fast-check prints it and the smallest file that shows the failure. */
const SEED = 1234;
const RUNS = 40;

const settings = (numRuns: number) => ({ seed: SEED, numRuns });

/** Runs a reader and accepts the faults that it declares. */
async function read(step: () => unknown): Promise<void> {
  try {
    await step();
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    expect(['bad_request', 'unprocessable']).toContain(thrown.code);
  }
}

describe('a mutated image', () => {
  test.each(listFixtures('images'))(
    '$name is read or refused, from half a megabyte at most',
    async ({ bytes }) => {
      await fc.assert(
        fc.asyncProperty(arbitraryMutation(bytes), async (file) => {
          const image = new CountedBlob([new Uint8Array(file)]);
          await read(() => probeImage(image, { pixelsMax: 100_000_000 }));
          expect(image.bytesRead).toBeLessThanOrEqual(524_288 + 400_000);
          await read(() => probeUprightImage(image));
        }),
        settings(RUNS),
      );
    },
  );

  test.each(listFixtures('images'))('$name gives its metadata or none', async ({ bytes }) => {
    await fc.assert(
      fc.asyncProperty(arbitraryMutation(bytes), async (file) => {
        const copy = new Uint8Array(file);
        const inflate = async (packed: Uint8Array) =>
          new Uint8Array(inflateSync(packed, { maxOutputLength: 10_000_000 }));
        for (const format of listFormats().map(({ id }) => id)) {
          if (getImageFormat(copy) !== format) continue;
          const { metadata } = await readMetadata(copy, format, (packed) =>
            inflate(packed).catch(() => new Uint8Array(0)),
          );
          const found = [metadata.exif, metadata.icc, metadata.xmp].reduce(
            (sum, part) => sum + (part?.length ?? 0),
            0,
          );
          expect(found).toBeLessThanOrEqual(3 * copy.length + 10_000_000);
          if (metadata.icc) readMatrixProfile(metadata.icc);
        }
        endsBetweenGifBlocks(copy);
        await read(() => readBmpHeader(copy));
      }),
      settings(RUNS),
    );
  });
});

describe('a mutated video', () => {
  test.each(listFixtures('videos'))('$name is read or refused, from 64 MB at most', async ({ bytes }) => {
    await fc.assert(
      fc.asyncProperty(arbitraryMutation(bytes), async (file) => {
        const video = new CountedBlob([new Uint8Array(file)]);
        await read(() => probeVideo(video, { secondsMax: 60 }));
        expect(video.bytesRead).toBeLessThanOrEqual(67_108_864);
      }),
      settings(RUNS),
    );
  });
});

describe('mutated audio', () => {
  test.each([...listFixtures('audio'), ...listFixtures('videos')])(
    '$name is read or refused',
    async ({ bytes }) => {
      await fc.assert(
        fc.asyncProperty(arbitraryMutation(bytes), async (file) => {
          await read(() => probeAudio(new CountedBlob([new Uint8Array(file)]), { secondsMax: 14_400 }));
        }),
        settings(RUNS / 4),
      );
    },
  );
});

describe('mutated audio of other containers', () => {
  const files = new Map<string, Buffer>();
  beforeAll(() => {
    for (const [name, bytes] of writeOtherContainers()) files.set(name, bytes);
  });

  test.each(OTHER_CONTAINERS)('%s is read or refused', async (name) => {
    await fc.assert(
      fc.asyncProperty(arbitraryMutation(files.get(name) ?? Buffer.alloc(0)), async (file) => {
        await read(() => probeAudio(new CountedBlob([new Uint8Array(file)]), { secondsMax: 14_400 }));
      }),
      settings(RUNS),
    );
  });
});
