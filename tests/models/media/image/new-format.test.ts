import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openedTypes } from '../../../../app/manifest.webmanifest/opened-types.ts';
import { encoderHas } from '../../../../app/studio/convert/encoder-options.ts';
import { CONVERT_WORDING } from '../../../../app/studio/convert/wording.ts';
import { recogniseByBytes } from '../../../../app/studio/files/kind-by-bytes.ts';
import { mediaKind } from '../../../../app/studio/files/media-kind.ts';
import { IMAGE_EXTENSIONS } from '../../../../app/studio/tools/tool.ts';
import { getImageFormat, getNames, listFormats } from '../../../../models/media/image/find-format.ts';
import { probeImage } from '../../../../models/media/image/image-header.ts';
import { mediaConvertImage } from '../../../../models/operations/convert/operation.ts';
import { createImageCodec } from '../../../../server/runtime/image-codec/index.ts';
import { toy } from '../../../support/formats/toy/card.ts';

// The one line in the list of cards.
vi.mock('../../../../models/media/image/formats.ts', async (load) => {
  const { IMAGE_FORMATS } = await load<typeof import('../../../../models/media/image/formats.ts')>();
  const { toy: card } = await import('../../../support/formats/toy/card.ts');
  return { IMAGE_FORMATS: [...IMAGE_FORMATS, card] };
});

// The one line in the engines.
vi.mock('../../../../models/media/image/codec/format-engines.ts', async (load) => {
  const engines = await load<typeof import('../../../../models/media/image/codec/format-engines.ts')>();
  const { toyEngine } = await import('../../../support/formats/toy/engine.ts');
  return { ...engines, FORMAT_ENGINES: new Map([...engines.FORMAT_ENGINES, ['toy', toyEngine]]) };
});

const { signal } = new AbortController();
const PIXELS = Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 128);
const FILE = new Blob(['TOY!', Uint8Array.of(2, 1), PIXELS]);

test('a format of one folder and one line is listed, recognised and measured', async () => {
  expect(listFormats().map(({ id }) => id)).toContain('toy');
  expect(getNames()).toMatch(/ or Toy$/);
  expect(getImageFormat(new Uint8Array(await FILE.arrayBuffer()))).toBe('toy');
  expect(await probeImage(FILE, { pixelsMax: 100 })).toEqual({
    format: 'toy',
    mediaType: 'image/x-toy',
    width: 2,
    height: 1,
  });
  await expect(probeImage(new Blob(['no image at all']), { pixelsMax: 100 })).rejects.toThrow(/or Toy file/);
});

test('the operation accepts it and names it, by its schema and its description', () => {
  const { params, inputs, testResult } = mediaConvertImage;
  const schema = z.toJSONSchema(params, { io: 'input' });
  expect(schema.properties?.to_format).toMatchObject({ enum: expect.arrayContaining(['toy', 'jpeg']) });
  expect(schema.properties?.quality).toMatchObject({ description: expect.stringContaining('and toy,') });
  expect(inputs.image_url?.description).toContain('or Toy image');
  const parsed = params.parse({ to_format: 'toy' });
  const facts = { format: 'jpeg', mediaType: 'image/jpeg', width: 2, height: 1 } as const;
  expect(testResult(facts, parsed, 0).files[0]).toMatchObject({ name: 'output.toy', format: 'toy' });
});

test('the pages offer it: picker, form, dropped files and files that the system opens', async () => {
  const { to_format, quality, keep_metadata } = CONVERT_WORDING.fields;
  const values = { to_format: 'toy' };
  expect(IMAGE_EXTENSIONS).toContain('.tyy');
  expect(mediaKind({ name: 'a.TOY', type: '' })).toBe('image');
  expect(openedTypes()).toMatchObject({ 'image/x-toy': ['.toy', '.tyy'] });
  expect(to_format?.choices).toMatchObject({ toy: 'Toy' });
  expect(to_format?.explain?.(values)).toBe(toy.advice);
  expect(quality?.isRelevant?.(values)).toBe(true);
  expect(keep_metadata?.isRelevant?.(values)).toBe(false);
  expect(encoderHas('effort', values)).toBe(true);
  expect(encoderHas('chroma', values)).toBe(false);
  const [dropped] = await recogniseByBytes([new File([FILE], 'a', { type: '' })]);
  expect(dropped).toMatchObject({ kind: 'image', file: { type: 'image/x-toy' } });
});

test('a codec reads and writes it through its engine, with the formats of the other engines', async () => {
  const images = createImageCodec();
  const decode = (file: Blob) => images.decode(file, { frames: 'first', colour: 'srgb', signal });
  const options = { quality: 92, background: [255, 255, 255], metadata: {}, signal } as const;
  const png = await images.encode(await decode(FILE), { ...options, format: 'png' });
  expect([
    ...(await sharp(await png.arrayBuffer())
      .raw()
      .toBuffer()),
  ]).toEqual([...PIXELS]);
  const back = await images.encode(await decode(png), { ...options, format: 'toy' });
  expect(back.type).toBe('image/x-toy');
  expect(await back.arrayBuffer()).toEqual(await FILE.arrayBuffer());
});
