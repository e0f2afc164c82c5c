import { deflateSync, inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import type { Orientation } from '../../../models/kernels/raster/orient-raster.ts';
import { ascii, type Bytes, concat, u8, u16 } from '../../../models/media/bytes/byte-writer.ts';
import { getImageFormat } from '../../../models/media/image/find-format.ts';
import { divideIntoBlocks } from '../../../models/media/image/gif/blocks.ts';
import { describeImageInXmp } from '../../../models/media/image/metadata/describe-xmp.ts';
import { readMetadata } from '../../../models/media/image/metadata.ts';
import { writePngChunk } from '../../../models/media/image/png/chunks.ts';
import { createExif, pointer, short, text } from '../../support/media/exif-block.ts';
import { createGif } from '../../support/media/gif-files.ts';
import { convert, convertToBlob, decodeFirstFrame } from '../../support/media/images.ts';

const PNG_HEAD_BYTES = 33;

const plain = () => sharp({ create: { width: 48, height: 32, channels: 3, background: 'teal' } });

async function getPng(...chunks: readonly Bytes[]): Promise<Blob> {
  const file = new Uint8Array(await plain().png().toBuffer());
  return new Blob([file.subarray(0, PNG_HEAD_BYTES), ...chunks, file.subarray(PNG_HEAD_BYTES)]);
}

/** Puts segments behind the first marker of a JPEG. */
async function getJpeg(...segments: readonly Bytes[]): Promise<Blob> {
  const file = new Uint8Array(await plain().jpeg().toBuffer());
  return new Blob([file.subarray(0, 2), ...segments, file.subarray(2)]);
}

const segment = (marker: number, body: Bytes) => concat([u8(0xff, marker), u16(body.length + 2), body]);

async function readKept(input: Blob, to_format: string) {
  const { files, warnings } = await convert(input, { to_format, keep_metadata: true });
  const bytes = new Uint8Array((await files[0]?.blob.arrayBuffer()) ?? []);
  const inflate = async (packed: Bytes) => new Uint8Array(inflateSync(packed));
  const { metadata } = await readMetadata(bytes, getImageFormat(bytes) ?? '', inflate);
  return { metadata, bytes, warnings: getMessages(warnings) };
}

describe('texts of an image', () => {
  const chunks = [
    writePngChunk('tEXt', ascii('parameters\0a cat, Steps: 20')),
    writePngChunk('zTXt', ascii('prompt\0\0'), new Uint8Array(deflateSync(ascii('{"3":{}}')))),
    writePngChunk('iTXt', ascii('workflow\0\0\0de\0Ablauf\0'), new TextEncoder().encode('{"Größe":"鸟"}')),
    writePngChunk('tEXt', ascii('Comment\0caf\xe9')),
  ];
  const expected = [
    { keyword: 'parameters', text: 'a cat, Steps: 20' },
    { keyword: 'prompt', text: '{"3":{}}' },
    { keyword: 'workflow', text: '{"Größe":"鸟"}', language: 'de', translated: 'Ablauf' },
    { keyword: 'Comment', text: 'café' },
  ];

  test('stay from PNG to PNG', async () => {
    const { metadata, warnings } = await readKept(await getPng(...chunks), 'png');
    expect(metadata.texts).toEqual(expected);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['jpg', 'parameters, prompt, workflow', expected.slice(3)],
    ['gif', 'parameters, prompt, workflow', expected.slice(3)],
    ['webp', 'parameters, prompt, workflow, Comment', undefined],
    ['avif', 'parameters, prompt, workflow, Comment', undefined],
  ])('stay in %s where it can hold them, or are named', async (to_format, lost, kept) => {
    const { metadata, warnings } = await readKept(await getPng(...chunks), to_format);
    expect(metadata.texts).toEqual(kept);
    expect(warnings).toEqual([
      `keep_metadata: ${to_format} files cannot hold these texts of the image, so they were left out: ${lost}.`,
    ]);
  });

  test('go without a word where metadata need not stay', async () => {
    const { files, warnings } = await convert(await getPng(...chunks), { to_format: 'png' });
    expect(await files[0]?.blob.text()).not.toContain('Steps');
    expect(warnings).toEqual([]);
  });

  test.each(['jpg', 'png', 'gif'])('of a JPEG or GIF stay in %s', async (to_format) => {
    const comment = [u8(0x21, 0xfe), ...divideIntoBlocks(ascii('hello'))];
    const gif = createGif({
      screen: [4, 4],
      frames: [{ width: 4, height: 4, index: 1 }],
      extensions: [concat(comment)],
    });
    for (const source of [await getJpeg(segment(0xfe, ascii('hello'))), new Blob([gif])]) {
      const { metadata, warnings } = await readKept(source, to_format);
      expect(metadata.texts).toEqual([{ keyword: 'Comment', text: 'hello' }]);
      expect(warnings).toEqual([]);
    }
  });

  test('that are packed bombs end with the limit of all', { tags: ['long'] }, async () => {
    const bomb = new Uint8Array(deflateSync(new Uint8Array(15_000_000)));
    const bombs = Array.from({ length: 40 }, () => writePngChunk('zTXt', ascii('bomb\0\0'), bomb));
    const { metadata } = await readKept(await getPng(...bombs), 'webp');
    expect(metadata.texts).toBeUndefined();
  });
});

describe('XMP of a GIF', () => {
  const packet = ascii(
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:rights>Mine</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>',
  );
  /** GIF, and a JPEG with the same packet. */
  const getSources = async () => [
    new Blob([
      createGif({
        screen: [4, 4],
        frames: [{ width: 4, height: 4, index: 1 }],
        extensions: [
          concat([
            u8(0x21, 0xff, 11),
            ascii('XMP DataXMP'),
            packet,
            u8(1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0),
          ]),
        ],
      }),
    ]),
    await getJpeg(segment(0xe1, concat([ascii('http://ns.adobe.com/xap/1.0/\0'), packet]))),
  ];

  test.each(['gif', 'webp', 'jpg', 'png', 'tiff'])('is kept in %s', async (to_format) => {
    for (const source of await getSources()) {
      const { metadata, warnings } = await readKept(source, to_format);
      expect(new TextDecoder().decode(metadata.xmp)).toContain('<dc:rights>Mine</dc:rights>');
      expect(warnings).toEqual([]);
    }
  });

  test('EXIF is named, which GIF does not hold', async () => {
    const exif = createExif([text(33432, 'Mine')]);
    const source = await getJpeg(segment(0xe1, concat([ascii('Exif\0\0'), exif])));
    expect((await readKept(source, 'gif')).warnings).toEqual([
      'keep_metadata: gif files hold no EXIF, so this was left out.',
    ]);
  });
});

describe('a MakerNote, whose offsets count from the start of EXIF', () => {
  const note = concat([u8(1, 2, 3, 4), ascii('a note of the maker')]);
  const exif = createExif([
    text(271, 'Maker'),
    pointer(34665, [{ tag: 37500, type: 7, value: note }, short(40961, 1)]),
  ]);
  const at = Buffer.from(exif).indexOf(Buffer.from(note));
  const source = () => getJpeg(segment(0xe1, concat([ascii('Exif\0\0'), exif])));

  test('keeps its position in a TIFF, and the samples stay right', async () => {
    const tiff = await convertToBlob(await source(), { to_format: 'tiff', keep_metadata: true });
    const bytes = new Uint8Array(await tiff.arrayBuffer());
    expect(bytes.subarray(at, at + note.length)).toEqual(note);
    const without = await convertToBlob(await source(), { to_format: 'tiff' });
    expect((await decodeFirstFrame(tiff)).data).toEqual((await decodeFirstFrame(without)).data);
  });

  test('keeps it from there in EXIF again', async () => {
    const tiff = await convertToBlob(await source(), { to_format: 'tiff', keep_metadata: true });
    const { metadata, warnings } = await readKept(tiff, 'webp');
    expect(metadata.exif?.subarray(at, at + note.length)).toEqual(note);
    expect(warnings).toEqual([]);
  });

  test('is left out with a warning where it stands too far behind', async () => {
    const long = createExif([
      text(271, 'M'.repeat(70_000)),
      pointer(34665, [{ tag: 37500, type: 7, value: note }]),
    ]);
    const png = await getPng(writePngChunk('eXIf', long));
    const tiff = await convertToBlob(png, { to_format: 'tiff', keep_metadata: true });
    const { metadata, warnings } = await readKept(tiff, 'webp');
    expect(Buffer.from(metadata.exif ?? []).includes(Buffer.from(note))).toBe(false);
    expect(warnings).toEqual([
      "keep_metadata: the camera's MakerNote was left out, since it would not be readable at another place.",
    ]);
  });
});

/** Regions of 0.1 by 0.2 with the centre at 0.25, 0.3. */
const REGIONS = {
  elements:
    '<mwg-rs:Area rdf:parseType="Resource"><stArea:h>0.2</stArea:h><stArea:w>0.1</stArea:w><stArea:x>0.25</stArea:x><stArea:y>0.3</stArea:y><stArea:unit>normalized</stArea:unit></mwg-rs:Area>',
  attributes:
    '<mwg-rs:Area stArea:x="0.25" stArea:y="0.3" stArea:w="0.1" stArea:h="0.2" stArea:unit="normalized"/>',
  description:
    '<mwg-rs:Area><rdf:Description stArea:x="0.25" stArea:y="0.3" stArea:w="0.1" stArea:h="0.2"/></mwg-rs:Area>',
  pixels: '<mwg-rs:Area stArea:x="30" stArea:y="24" stArea:w="12" stArea:h="16" stArea:unit="pixel"/>',
};

const getRegions = (area: string) =>
  ascii(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" xmlns:MP="http://ns.microsoft.com/photo/1.2/" xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#" xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#"><mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="120" stDim:h="80" stDim:unit="pixel"/><mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">${area}<mwg-rs:Name>Anna</mwg-rs:Name></rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions><MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag><rdf:li MPReg:Rectangle="0.2, 0.2, 0.1, 0.2" MPReg:PersonDisplayName="Anna"/></rdf:Bag></MPRI:Regions></MP:RegionInfo></rdf:Description></rdf:RDF></x:xmpmeta>`,
  );

/** Orientations 1 to 8, the centre 0.25, 0.3 when upright, and whether the sides change places. */
const ORIENTATIONS: readonly (readonly [Orientation, number, number, boolean])[] = [
  [{ quarterTurns: 0, isMirrored: false }, 0.25, 0.3, false],
  [{ quarterTurns: 0, isMirrored: true }, 0.75, 0.3, false],
  [{ quarterTurns: 2, isMirrored: false }, 0.75, 0.7, false],
  [{ quarterTurns: 2, isMirrored: true }, 0.25, 0.7, false],
  [{ quarterTurns: 1, isMirrored: true }, 0.3, 0.25, true],
  [{ quarterTurns: 1, isMirrored: false }, 0.7, 0.25, true],
  [{ quarterTurns: 3, isMirrored: true }, 0.7, 0.75, true],
  [{ quarterTurns: 3, isMirrored: false }, 0.3, 0.75, true],
];

describe('face regions of XMP turn with the image', () => {
  const describeIn = (xmp: Bytes, orientation: Orientation) => {
    const [width, height] = orientation.quarterTurns % 2 ? [80, 120] : [120, 80];
    const image = { width, height, isSrgb: true, mediaType: 'image/jpeg', orientation };
    const described = describeImageInXmp(xmp, image);
    return { text: new TextDecoder().decode(described?.xmp), lost: described?.lost };
  };

  test.each(Object.keys(REGIONS) as (keyof typeof REGIONS)[])('as %s, whatever the orientation', (form) => {
    for (const [orientation, x, y, isOnSide] of ORIENTATIONS) {
      const { text: found, lost } = describeIn(getRegions(REGIONS[form]), orientation);
      const number = (name: string) =>
        Number(new RegExp(`stArea:${name}(?:="|>)([^"<]+)`).exec(found)?.[1] ?? Number.NaN);
      const [across, down] = form === 'pixels' ? (isOnSide ? [80, 120] : [120, 80]) : [1, 1];
      const [w, h] = form === 'pixels' ? [12, 16] : [0.1, 0.2];
      expect(number('x')).toBeCloseTo(x * across, 5);
      expect(number('y')).toBeCloseTo(y * down, 5);
      expect([number('w'), number('h')]).toEqual(isOnSide ? [h, w] : [w, h]);
      expect(found).toContain(isOnSide ? 'stDim:w="80" stDim:h="120"' : 'stDim:w="120" stDim:h="80"');
      const [left, top] = (/Rectangle="([^"]+)"/.exec(found)?.[1] ?? '').split(', ').map(Number);
      expect(left).toBeCloseTo(x - (isOnSide ? 0.1 : 0.05), 5);
      expect(top).toBeCloseTo(y - (isOnSide ? 0.05 : 0.1), 5);
      expect(lost).toEqual([]);
    }
  });

  test('or are named where they cannot be read', () => {
    const area = '<mwg-rs:Area stArea:x="left" stArea:y="0.3"/>';
    const { text: found, lost } = describeIn(getRegions(area), { quarterTurns: 1, isMirrored: false });
    expect(found).not.toContain('mwg-rs:Regions ');
    expect(found).toContain('MPReg:Rectangle="0.6, 0.2, 0.2, 0.1"');
    expect(lost).toEqual(['face regions']);
  });

  test('or are left out of an image that was scaled, with a warning', async () => {
    const packet = getRegions(REGIONS.elements);
    const source = await getJpeg(segment(0xe1, concat([ascii('http://ns.adobe.com/xap/1.0/\0'), packet])));
    const { warnings } = await convert(source, { to_format: 'png', keep_metadata: true, width: 24 });
    expect(getMessages(warnings)).toEqual([
      expect.stringMatching(/left out: face regions, face regions of Microsoft\.$/),
    ]);
  });

  test('and other places in the image are left out with a warning', async () => {
    const packet = new TextDecoder()
      .decode(getRegions(REGIONS.elements))
      .replace(
        '<mwg-rs:Regions ',
        '<e:ImageRegion xmlns:e="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><rdf:Bag/></e:ImageRegion><mwg-rs:Regions ',
      );
    const exif = createExif([short(274, 6)]);
    const source = await getJpeg(
      segment(0xe1, concat([ascii('Exif\0\0'), exif])),
      segment(0xe1, concat([ascii('http://ns.adobe.com/xap/1.0/\0'), ascii(packet)])),
    );
    const { metadata, warnings } = await readKept(source, 'png');
    expect(new TextDecoder().decode(metadata.xmp)).toContain('<stArea:x>0.7</stArea:x>');
    expect(warnings).toEqual([
      'keep_metadata: the image was turned or reshaped, so what its XMP says of places in it was left out: image regions of IPTC.',
    ]);
  });
});
