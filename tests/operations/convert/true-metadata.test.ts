import { openAsBlob } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ImageMetadata } from '../../../models/core/runtime/image-codec.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { ascii, concat, u8 } from '../../../models/media/bytes/byte-writer.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { joinExtendedXmp } from '../../../models/media/image/jpeg/extended-xmp.ts';
import { writeJpegMetadata } from '../../../models/media/image/jpeg/write-metadata.ts';
import { readIptc, readMetadata } from '../../../models/media/image/metadata.ts';
import { writePngMetadata } from '../../../models/media/image/png/write-metadata.ts';
import { openTiffStream, readDirectory } from '../../../models/media/image/tiff/directory.ts';
import { createExif, pointer, rational, short, text } from '../../support/media/exif-block.ts';
import { withExtendedXmp } from '../../support/media/extended-xmp.ts';
import { convert, convertToBlob } from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';

const HOLDERS = ['jpg', 'png', 'webp', 'tiff', 'avif', 'heic'];
const STORED = { width: 48, height: 32 };
const THUMBNAIL = 'THUMBNAIL-JPEG-BYTES';

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" tiff:Orientation="6" exif:PixelXDimension='48'
 dc:format="image/x-source">
<tiff:ImageWidth>48</tiff:ImageWidth><tiff:ImageLength>32</tiff:ImageLength>
<xmp:Thumbnails><rdf:Alt><rdf:li>small</rdf:li></rdf:Alt></xmp:Thumbnails>
<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">Kept &amp; safe</rdf:li></rdf:Alt></dc:rights>
</rdf:Description></rdf:RDF></x:xmpmeta>`;

/** A dataset of IPTC-IIM's application record. */
const dataset = (number: number, value: string) =>
  concat([u8(0x1c, 2, number, 0, new TextEncoder().encode(value).length), new TextEncoder().encode(value)]);
const IPTC = concat([
  dataset(120, 'Caption é'),
  dataset(116, 'IPTC rights'),
  dataset(25, 'one'),
  dataset(25, 'two'),
]);

const EXIF = createExif(
  [
    text(271, 'Darkroom'),
    short(256, 48),
    short(257, 32),
    short(274, 6),
    text(306, '2026:01:02 03:04:05'),
    text(33432, 'Copyright me'),
    pointer(34665, [
      text(0x9003, '2025:12:24 18:00:00'),
      short(0xa001, 0xffff),
      short(0xa002, 48),
      short(0xa003, 32),
      pointer(40965, [text(1, 'R03')]),
    ]),
    pointer(34853, [text(1, 'N'), rational(2, 48, 1)]),
  ],
  ascii(THUMBNAIL),
);

async function photo(metadata: ImageMetadata): Promise<Blob> {
  const plain = await sharp({ create: { ...STORED, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  return new Blob(writeJpegMetadata(new Uint8Array(plain), metadata));
}

async function readFile(blob: Blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const { format, width, height } = await sharp(bytes).metadata();
  const kind = format === 'heif' ? 'heic' : (format as ImageFormat);
  const { metadata } = await readMetadata(bytes, kind, async (packed) => packed);
  return { bytes, width, height, kind, ...metadata };
}

type Fields = readonly { tag: number; value: Uint8Array; directory?: Fields }[];

function getFields(exif: Uint8Array<ArrayBuffer> | undefined): Fields {
  const stream = exif && openTiffStream(exif);
  return stream ? readDirectory(stream, stream.firstOffset) : [];
}

function getNumber(fields: Fields, tag: number): number | undefined {
  const value = fields.find((field) => field.tag === tag)?.value;
  return value && (value[0] ?? 0) + 256 * (value[1] ?? 0);
}

describe.each(HOLDERS)('metadata of a turned image as %s', (to_format) => {
  const source = () => photo({ exif: EXIF, xmp: ascii(XMP), iptc: IPTC });

  test('EXIF states the size and orientation of the result, and has no thumbnail', async () => {
    const { bytes, width, height, exif, icc } = await readFile(
      await convertToBlob(await source(), { to_format, keep_metadata: true }),
    );
    expect([width, height]).toEqual([32, 48]);
    const main = getFields(exif);
    const details = main.find(({ tag }) => tag === 34665)?.directory ?? [];
    expect(getNumber(details, 0xa002)).toBe(32);
    expect(getNumber(details, 0xa003)).toBe(48);
    expect(getNumber(main, 274) ?? 1).toBe(1);
    expect(getNumber(main, 256) ?? 32).toBe(32);
    // The samples stay in Adobe RGB, which only the profile says: EXIF has no value for it.
    expect([getNumber(details, 0xa001), icc !== undefined]).toEqual([0xffff, true]);
    expect(Buffer.from(bytes).includes(THUMBNAIL)).toBe(false);
  });

  test('dates, location and copyright stay in EXIF', async () => {
    const { exif } = await readFile(await convertToBlob(await source(), { to_format, keep_metadata: true }));
    const main = getFields(exif);
    const getText = (fields: Fields, tag: number) =>
      new TextDecoder().decode(fields.find((field) => field.tag === tag)?.value);
    expect(getText(main, 306)).toBe('2026:01:02 03:04:05\0');
    expect(getText(main, 33432)).toBe('Copyright me\0');
    expect(getText(main.find(({ tag }) => tag === 34665)?.directory ?? [], 0x9003)).toBe(
      '2025:12:24 18:00:00\0',
    );
    expect(getNumber(main.find(({ tag }) => tag === 34853)?.directory ?? [], 2)).toBe(48);
  });

  test('XMP describes the result; its rights stay, its thumbnail goes', async () => {
    const { xmp } = await readFile(await convertToBlob(await source(), { to_format, keep_metadata: true }));
    const packet = new TextDecoder().decode(xmp);
    expect(packet).toContain('tiff:Orientation="1"');
    expect(packet).toContain("exif:PixelXDimension='32'");
    expect(packet).toContain('<tiff:ImageWidth>32</tiff:ImageWidth><tiff:ImageLength>48</tiff:ImageLength>');
    expect(packet).toMatch(/dc:format="image\/(jpeg|png|webp|tiff|avif|heic)"/);
    expect(packet).toContain('Kept &amp; safe');
    expect(packet).not.toContain('small');
  });

  test('IPTC stays, as datasets or as XMP', async () => {
    const { bytes, kind, xmp } = await readFile(
      await convertToBlob(await photo({ iptc: IPTC }), { to_format, keep_metadata: true }),
    );
    if (kind === 'jpeg' || kind === 'tiff') expect(await readIptc(bytes, kind)).toEqual(IPTC);
    else {
      const packet = new TextDecoder().decode(xmp);
      expect(packet).toContain('<dc:description><rdf:Alt><rdf:li xml:lang="x-default">Caption é</rdf:li>');
      expect(packet).toContain('IPTC rights');
      expect(packet).toContain(
        '<dc:subject><rdf:Bag><rdf:li>one</rdf:li><rdf:li>two</rdf:li></rdf:Bag></dc:subject>',
      );
    }
  });
});

test('sharp reads IPTC, EXIF and XMP of the results', async () => {
  const source = await photo({ exif: EXIF, xmp: ascii(XMP), iptc: IPTC });
  for (const to_format of HOLDERS) {
    const blob = await convertToBlob(source, { to_format, keep_metadata: true });
    const { xmp, iptc, orientation } = await sharp(new Uint8Array(await blob.arrayBuffer())).metadata();
    expect(xmp?.includes('Kept'), to_format).toBe(true);
    expect(orientation ?? 1, to_format).toBe(1);
    if (to_format === 'jpg' || to_format === 'tiff')
      expect(iptc?.includes('IPTC rights'), to_format).toBe(true);
  }
});

test('properties that XMP has already are not added from IPTC', async () => {
  const { xmp } = await readFile(
    await convertToBlob(await photo({ iptc: IPTC, xmp: ascii(XMP) }), {
      to_format: 'png',
      keep_metadata: true,
    }),
  );
  expect(new TextDecoder().decode(xmp)).not.toContain('IPTC rights');
});

test.each([
  [1_000, 'jpg'],
  [100_000, 'jpg'],
  [100_000, 'webp'],
] as const)('an extension of XMP with %i bytes is kept as %s', async (bytes, to_format) => {
  const plain = new Uint8Array(await (await photo({})).arrayBuffer());
  const source = new Blob([withExtendedXmp(plain, 'edited '.repeat(bytes / 7))]);
  const { files, warnings } = await convert(source, { to_format, keep_metadata: true });
  expect(warnings).toEqual([]);
  const { bytes: result, xmp = new Uint8Array(0) } = await readFile(files[0]?.blob ?? new Blob([]));
  const packet = new TextDecoder().decode(joinExtendedXmp(result, xmp));
  expect(packet).toContain('dc:source="main"');
  expect(packet.split('edited ')).toHaveLength(Math.floor(bytes / 7) + 1);
});

/** Packet of a short property, a long one and a long attribute. */
const longXmp = (element: number, attribute: number) =>
  ascii(
    XMP.replace('dc:format', `dc:source="${'a'.repeat(attribute)}" dc:format`).replace(
      '<dc:rights>',
      `<dc:description>${'b'.repeat(element)}</dc:description><dc:rights>`,
    ),
  );

test('XMP of 200 kB in a PNG becomes XMP and an extension in a JPEG', async () => {
  const png = new Uint8Array(
    await sharp({ create: { ...STORED, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  );
  const source = new Blob(writePngMetadata(png, { xmp: longXmp(200_000, 100) }));
  const { files, warnings } = await convert(source, { to_format: 'jpg', keep_metadata: true });
  expect(warnings).toEqual([]);
  const { bytes, xmp = new Uint8Array(0) } = await readFile(files[0]?.blob ?? new Blob([]));
  const [main, guid] = /HasExtendedXMP="([0-9A-F]{32})"/.exec(new TextDecoder().decode(xmp)) ?? [];
  expect(main).toBeDefined();
  expect(Buffer.from(bytes).includes(`http://ns.adobe.com/xmp/extension/\0${guid}`)).toBe(true);
  const packet = new TextDecoder().decode(joinExtendedXmp(bytes, xmp));
  expect(/<dc:description>(b*)<\/dc:description>/.exec(packet)?.[1]).toHaveLength(200_000);
  expect(packet).toContain('Kept &amp; safe');
});

test('XMP with a property that fits nowhere in a JPEG is left out with a warning', async () => {
  const png = new Uint8Array(
    await sharp({ create: { ...STORED, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  );
  const source = new Blob(writePngMetadata(png, { xmp: longXmp(100, 70_000) }));
  const { warnings } = await convert(source, { to_format: 'jpg', keep_metadata: true });
  expect(getMessages(warnings)).toEqual([
    'keep_metadata: the XMP of the image is larger than the 64 kB that a JPEG holds, so it was left out.',
  ]);
});

test('damaged XMP is left out with a warning', async () => {
  const source = await photo({ xmp: ascii('<x:xmpmeta <rdf') });
  const { warnings } = await convert(source, { to_format: 'png', keep_metadata: true });
  expect(getMessages(warnings)).toEqual([
    'keep_metadata: the XMP of the image is damaged, so it was left out.',
  ]);
});

const turned = sharedData('cases/images/exif-xmp-thumbnail-orientation6.jpg');
test.skipIf(turned.isMissing)(
  turned.titled('a photo of orientation 6 with a thumbnail is described'),
  { tags: ['long'] },
  async () => {
    for (const to_format of HOLDERS) {
      const blob = await convertToBlob(await openAsBlob(turned.path), { to_format, keep_metadata: true });
      const { xmp, exif } = await readFile(blob);
      const packet = new TextDecoder().decode(xmp);
      expect(packet, to_format).toContain('<tiff:Orientation>1</tiff:Orientation>');
      expect(packet, to_format).toContain('<tiff:ImageWidth>320</tiff:ImageWidth>');
      const details = getFields(exif).find(({ tag }) => tag === 34665)?.directory ?? [];
      expect(getNumber(details, 0xa002) ?? 320, to_format).toBe(320);
      expect(Buffer.from(exif ?? []).includes(Buffer.from([0xff, 0xd8, 0xff])), to_format).toBe(false);
    }
  },
);
