import { deflateSync, inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { ascii, type Bytes, concat, fullBox, u8, u16, u32 } from '../../../models/media/bytes/byte-writer.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { readHeifItems, readItemData } from '../../../models/media/image/heif/read-meta.ts';
import { writeHeif } from '../../../models/media/image/heif/write-heif.ts';
import { readIptc, readMetadata } from '../../../models/media/image/metadata.ts';
import { writePngChunk } from '../../../models/media/image/png/chunks.ts';
import { createExif, text } from '../../support/media/exif-block.ts';
import { convert, convertToBlob } from '../../support/media/images.ts';
import { field, tiffOfKind } from '../../support/media/tiff/tiff-kinds.ts';

const FORMATS: Readonly<Record<string, ImageFormat>> = {
  jpg: 'jpeg',
  png: 'png',
  webp: 'webp',
  tiff: 'tiff',
  avif: 'avif',
  heic: 'heic',
};
const HOLDERS = Object.keys(FORMATS);
const HEAD_BYTES = 33;
const END_BYTES = 12;

const getXmp = (rights: string) =>
  ascii(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${rights}</rdf:li></rdf:Alt></dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>`,
  );
const EXIF = createExif([text(33432, 'EXIF rights')]);
const IPTC = concat([u8(0x1c, 2, 116, 0, 11), ascii('IPTC rights')]);

const plain = () => sharp({ create: { width: 48, height: 32, channels: 3, background: 'teal' } });

/** Writes chunks into a PNG, before its samples or behind them. */
async function getPng(place: 'before' | 'behind', ...chunks: readonly Bytes[]): Promise<Blob> {
  const file = new Uint8Array(await plain().png().toBuffer());
  const at = place === 'before' ? HEAD_BYTES : file.length - END_BYTES;
  return new Blob([file.subarray(0, at), ...chunks, file.subarray(at)]);
}

/** Returns the metadata of a result, as text of one letter per byte. */
async function foundIn(input: Blob, to_format: string) {
  const blob = await convertToBlob(input, { to_format, keep_metadata: true });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const format = FORMATS[to_format] ?? 'png';
  const { metadata } = await readMetadata(
    bytes,
    format,
    async (packed) => new Uint8Array(inflateSync(packed)),
  );
  const asText = (block?: Uint8Array) => new TextDecoder('latin1').decode(block);
  return {
    exif: asText(metadata.exif),
    xmp: asText(metadata.xmp),
    iptc: asText(await readIptc(bytes, format)),
  };
}

/** Writes a block as ImageMagick does: its name, its length, and its bytes in hexadecimal digits. */
function rawProfile(type: string, block: Bytes): Bytes {
  const digits = Buffer.from(block).toString('hex').replace(/.{72}/g, '$&\n');
  const body = ascii(`\n${type}\n${String(block.length).padStart(8)}\n${digits}\n`);
  return writePngChunk('zTXt', ascii(`Raw profile type ${type}\0\0`), new Uint8Array(deflateSync(body)));
}

const XMP_CHUNK = writePngChunk('iTXt', ascii('XML:com.adobe.xmp\0\0\0\0\0'), getXmp('XMP rights'));

describe.each(HOLDERS)('what a PNG holds stays in %s', (to_format) => {
  test.each(['before', 'behind'] as const)('with EXIF and XMP %s its samples', async (place) => {
    const source = await getPng(place, XMP_CHUNK, writePngChunk('eXIf', EXIF));
    const { exif, xmp } = await foundIn(source, to_format);
    expect([exif, xmp].join()).toContain('EXIF rights');
    expect(xmp).toContain('XMP rights');
  });

  test('with EXIF, XMP and IPTC in hexadecimal digits', async () => {
    const resource = concat([ascii('8BIM'), u16(0x0404, 0), u32(IPTC.length), IPTC]);
    const source = await getPng(
      'before',
      rawProfile('exif', concat([ascii('Exif\0\0'), EXIF])),
      rawProfile('xmp', getXmp('XMP rights')),
      rawProfile('8bim', resource),
    );
    const { exif, xmp, iptc } = await foundIn(source, to_format);
    expect(exif).toContain('EXIF rights');
    expect(xmp).toContain('XMP rights');
    if (to_format === 'jpg' || to_format === 'tiff') expect(iptc).toContain('IPTC rights');
  });

  test('with its copyright and author as texts', async () => {
    const source = await getPng(
      'before',
      writePngChunk('tEXt', ascii('Copyright\0Text & rights')),
      writePngChunk('zTXt', ascii('Author\0\0'), new Uint8Array(deflateSync('Jos\u00e9'))),
    );
    const { xmp } = await foundIn(source, to_format);
    expect(xmp).toContain('<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">Text &amp; rights</rdf:li>');
    expect(xmp).toContain('<dc:creator><rdf:Seq><rdf:li>Jos');
  });
});

test('a text of a PNG does not replace what its XMP says', async () => {
  const source = await getPng('before', XMP_CHUNK, writePngChunk('tEXt', ascii('Copyright\0Text rights')));
  const { xmp } = await foundIn(source, 'png');
  expect(xmp).toContain('XMP rights');
  expect(xmp).not.toContain('Text rights');
});

test('damaged digits and streams in texts of a PNG are left out', async () => {
  const source = await getPng(
    'before',
    writePngChunk('tEXt', ascii('Raw profile type exif\0\nexif\n  9\nzz')),
    writePngChunk('zTXt', ascii('Copyright\0\0not a stream')),
  );
  expect(await foundIn(source, 'jpg')).toEqual({ exif: '', xmp: '', iptc: '' });
});

test('texts of a PNG without a keyword, and those too long for a caption, are left out', async () => {
  const source = await getPng(
    'before',
    writePngChunk('tEXt', new Uint8Array(300_000).fill(97)),
    writePngChunk('zTXt', ascii('Title\0\0'), new Uint8Array(deflateSync(Buffer.alloc(200_000, 'a')))),
    writePngChunk('tEXt', ascii('Copyright\0Text rights')),
  );
  const { xmp } = await foundIn(source, 'png');
  expect(xmp).toContain('Text rights');
  expect(xmp.length).toBeLessThan(5000);
});

test('an item of a HEIC whose extents are longer than the file is refused', () => {
  const extents = Array.from({ length: 3 }, () => [u32(0), u32(100)]).flat();
  const iloc = fullBox('iloc', 0, 0, u8(0x44, 0), u16(1), u16(1), u16(0), u16(3), ...extents);
  const meta = fullBox('meta', 0, 0, iloc);
  const file = concat([meta, new Uint8Array(150 - meta.length)]);
  expect(() => readItemData(file, { type: 'meta', start: 8, end: meta.length }, 1)).toThrow(OperationError);
});

test('XMP of another image in a HEIC is not that of the picture', async () => {
  const heic = await convertToBlob(await getPng('before'), { to_format: 'heic' });
  const [picture] = readHeifItems(new Uint8Array(await heic.arrayBuffer()));
  if (!picture) throw new Error('no picture');
  const describing = (place: number) => [{ type: 'cdsc', to: [place] }];
  const xmpAbout = (place: number, rights: string) => ({
    type: 'mime',
    data: getXmp(rights),
    contentType: 'application/rdf+xml',
    references: describing(place),
  });
  const file = writeHeif(
    'heic',
    ['mif1', 'heic'],
    [
      picture,
      { ...picture, references: [{ type: 'thmb', to: [0] }], isHidden: true },
      xmpAbout(1, 'of the other'),
      { type: 'mime', data: ascii('text'), contentType: 'text/plain', references: describing(0) },
      xmpAbout(0, 'XMP rights'),
      { type: 'Exif', data: concat([u32(6), ascii('Exif\0\0'), EXIF]), references: describing(0) },
    ],
  );
  const bytes = new Uint8Array(await new Blob(file).arrayBuffer());
  const { metadata } = await readMetadata(bytes, 'heic', async (packed) => packed);
  expect(new TextDecoder().decode(metadata.xmp)).toContain('XMP rights');
  const { exif, xmp } = await foundIn(new Blob(file), 'jpg');
  expect(exif).toContain('EXIF rights');
  expect(xmp).toContain('XMP rights');
});

test('IPTC that a JPEG cannot hold is left out with a warning', async () => {
  const dataset = concat([u8(0x1c, 2, 120, 0x75, 0x30), new Uint8Array(30_000).fill(97)]);
  const iptc = concat([dataset, dataset, dataset]);
  const source = tiffOfKind(
    { bits: 8, photometric: 2, fields: [{ ...field(33723, 4), type: 7, value: iptc }] },
    () => [1, 2, 3],
  );
  const { warnings } = await convert(source, { to_format: 'jpg', keep_metadata: true });
  expect(getMessages(warnings)).toEqual([
    'keep_metadata: the IPTC of the image is larger than the 64 kB that a JPEG holds, so it was left out.',
  ]);
});
