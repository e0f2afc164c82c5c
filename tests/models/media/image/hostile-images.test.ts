import { afterEach, expect, test, vi } from 'vitest';
import {
  ascii,
  type Bytes,
  box,
  concat,
  fullBox,
  u8,
  u16,
  u32,
} from '../../../../models/media/bytes/byte-writer.ts';
import { readGifMetadata } from '../../../../models/media/image/gif/metadata.ts';
import { openUncoveredGif } from '../../../../models/media/image/gif/open-gif.ts';
import { readHeifMeta, readItemData } from '../../../../models/media/image/heif/read-meta.ts';
import { jpegFileCode } from '../../../../models/media/image/jpeg/file-code.ts';
import { readJpegSegments } from '../../../../models/media/image/jpeg/segments.ts';
import { describeImageInXmp } from '../../../../models/media/image/metadata/describe-xmp.ts';
import { PNG_SIGNATURE, readPngChunks } from '../../../../models/media/image/png/chunks.ts';
import { readContents } from '../../../../models/media/image/read-contents.ts';
import { decodePage } from '../../../../models/media/image/tiff/decode-page.ts';
import { readTiffPage } from '../../../../models/media/image/tiff/page-layout.ts';
import { readWebpChunks } from '../../../../models/media/image/webp/chunks.ts';
import { getGrey } from '../../../support/media/tiff/readable-tiffs.ts';
import { tiffOfKind } from '../../../support/media/tiff/tiff-kinds.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Repeats bytes behind a head. */
function repeated(head: Bytes, part: Bytes, count: number): Bytes {
  const bytes = new Uint8Array(head.length + part.length * count);
  bytes.set(head);
  for (let at = head.length; at < bytes.length; at += part.length) bytes.set(part, at);
  return bytes;
}

test('a JPEG of empty segments has 10,000 of them, and only its head is read', async () => {
  const file = repeated(u8(0xff, 0xd8), u8(0xff, 0xe0, 0, 2), 100_000);
  expect(readJpegSegments(file)).toHaveLength(10_000);
  const head = await jpegFileCode.readHead?.(new Blob([file]));
  expect(head?.length).toBeLessThan(200_000);
});

test('a PNG of empty chunks has 200,000 of them', () => {
  const chunk = concat([u32(0), ascii('teST'), u32(0)]);
  expect(readPngChunks(repeated(PNG_SIGNATURE, chunk, 200_001))).toHaveLength(200_000);
});

test('a WebP of empty chunks is damaged', () => {
  const file = repeated(ascii('RIFF    WEBP'), new Uint8Array(8), 200_001);
  expect(() => readWebpChunks(file)).toThrow('too many chunks');
});

/** Head of a GIF of 1 x 1 pixels without a colour table. */
const GIF_HEAD = concat([ascii('GIF89a'), u8(1, 0, 1, 0, 0, 0, 0)]);

test('a GIF of empty comments has 10,000 of them', () => {
  const { texts } = readGifMetadata(repeated(GIF_HEAD, u8(0x21, 0xfe, 0), 10_001));
  expect(texts).toHaveLength(10_000);
});

test('a GIF of more than 100,000 frames is refused', () => {
  const frame = u8(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0);
  const options = { frames: 'all', signal: new AbortController().signal } as const;
  expect(() => openUncoveredGif(repeated(GIF_HEAD, frame, 100_001), options, {})).toThrow('too many frames');
});

/** Writes a HEIF whose items all have the same property, each as often as may be. */
function createCrowdedHeif(items: number, associations: number, property: Bytes): Bytes {
  const infe = fullBox('infe', 2, 0, u16(1, 0), ascii('hvc1\0'));
  const entry = concat([u16(1), u8(associations), new Uint8Array(associations).fill(1)]);
  return concat([
    box('ftyp', ascii('heic'), u32(0), ascii('mif1heic')),
    fullBox(
      'meta',
      0,
      0,
      fullBox('pitm', 0, 0, u16(1)),
      fullBox('iinf', 0, 0, u16(1), infe),
      box('iprp', box('ipco', property), fullBox('ipma', 0, 0, u32(items), repeated(u8(), entry, items))),
    ),
  ]);
}

test('of a property that a HEIF states often, the beginning is read once', async () => {
  const name = fullBox('auxC', 0, 0, ascii(`urn:${'x'.repeat(10_000)}`));
  const file = createCrowdedHeif(1, 200, name);
  const decode = vi.spyOn(TextDecoder.prototype, 'decode');
  expect((await readContents(file, 'heic')).hasGainMap).toBe(false);
  const bytes = decode.mock.calls.reduce((sum, [input]) => sum + (input?.byteLength ?? 0), 0);
  expect(bytes).toBeLessThan(1000);
});

test('a HEIF of more properties than ten for each item is damaged', () => {
  const file = createCrowdedHeif(1000, 200, fullBox('auxC', 0, 0));
  const meta = { type: 'meta', start: 32, end: file.length };
  expect(() => readHeifMeta(new DataView(file.buffer), meta)).toThrow('boxes are inconsistent');
});

test('of the places of other items nothing is kept', () => {
  // Places of no bytes, as many as 16 bits can count.
  const item = (id: number) => u16(id, 0, 0xffff);
  const iloc = fullBox('iloc', 0, 0, u16(0, 20), ...Array.from({ length: 20 }, (_, id) => item(id)));
  const file = fullBox('meta', 0, 0, iloc);
  const subarray = vi.spyOn(Uint8Array.prototype, 'subarray');
  expect(readItemData(file, { type: 'meta', start: 8, end: file.length }, 19)).toHaveLength(0);
  expect(subarray.mock.calls.length).toBeLessThan(70_000);
});

test('tiles that reach far beyond their image are not unpacked', async () => {
  const file = new Uint8Array(await tiffOfKind({ bits: 8, photometric: 1 }, getGrey(255)).arrayBuffer());
  const page = readTiffPage(file);
  if (!page) throw new Error('no page');
  const [offsets, byteCounts] = [Array<number>(1000).fill(8), Array<number>(1000).fill(0)];
  const layout = { width: 16_000, height: 1, tileWidth: 16, tileHeight: 3_000_000, offsets, byteCounts };
  const inflate = vi.fn(async (packed: Bytes) => packed);
  await expect(decodePage(file, { ...page, ...layout, compression: 8 }, inflate)).rejects.toThrow(
    'damaged TIFF',
  );
  expect(inflate).not.toHaveBeenCalled();
});

test('an area of a face within others counts once', () => {
  const depth = 50;
  const values = '<rdf:Description stArea:x="0.25" stArea:y="0.3" stArea:w="0.1" stArea:h="0.2"/>';
  const nested = `${'<mwg-rs:Area>'.repeat(depth)}${values}${'</mwg-rs:Area>'.repeat(depth)}`;
  const packet = `<mwg-rs:Regions xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${nested}</mwg-rs:Regions>`;
  const orientation = { quarterTurns: 1, isMirrored: false } as const;
  const image = { width: 80, height: 120, isSrgb: true, mediaType: 'image/png', orientation };
  const described = describeImageInXmp(ascii(packet), image);
  const turned = '<rdf:Description stArea:x="0.7" stArea:y="0.25" stArea:w="0.2" stArea:h="0.1"/>';
  expect(new TextDecoder().decode(described?.xmp)).toBe(packet.replace(values, turned));
});
