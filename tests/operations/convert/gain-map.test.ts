import { openAsBlob } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { messagesOf } from '../../../models/core/runtime/run-warnings.ts';
import { ascii } from '../../../models/media/bytes/byte-writer.ts';
import { writeJpegMetadata } from '../../../models/media/image/jpeg/write-metadata.ts';
import { convert } from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';

const WARNING = 'The HDR gain map was left out: the result has the standard range of brightness.';

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
 xmlns:C="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
 xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" hdrgm:Version="1.0"><dc:source>kept</dc:source>
<C:Directory><rdf:Seq><rdf:li><C:Item Item:Semantic="GainMap"/></rdf:li></rdf:Seq></C:Directory></rdf:Description></rdf:RDF></x:xmpmeta>`;

async function expectNoGainMap(source: Blob, kept: string): Promise<void> {
  for (const to_format of ['jpg', 'png', 'webp', 'tiff', 'avif', 'heic']) {
    const { files, warnings } = await convert(source, { to_format, keep_metadata: true });
    expect(messagesOf(warnings), to_format).toEqual([WARNING]);
    const bytes = Buffer.from(new Uint8Array(await (files[0]?.blob ?? new Blob([])).arrayBuffer()));
    for (const trace of ['hdr-gain-map', 'hdrgm', 'GainMap', 'MPF\0']) {
      expect(bytes.includes(trace), `${to_format} has ${trace}`).toBe(false);
    }
    expect(bytes.includes(kept), to_format).toBe(true);
  }
}

test('what XMP says of a gain map goes with it, and the rest stays', async () => {
  const plain = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  await expectNoGainMap(new Blob(writeJpegMetadata(new Uint8Array(plain), { xmp: ascii(XMP) })), 'kept');
});

const ultraHdr = sharedData('cases/images/gainmap-ultra-hdr.jpg');
test.skipIf(ultraHdr.isMissing)(
  ultraHdr.titled('the gain map of an Ultra HDR photo leaves no trace'),
  { tags: ['long'] },
  async () => {
    await expectNoGainMap(await openAsBlob(ultraHdr.path), 'gimp:docid');
  },
);

const pair = sharedData('data/convert/pillow/frozenpond.mpo');
test.skipIf(pair.isMissing)(
  pair.titled('a stereo pair gives its primary image and a warning'),
  { tags: ['long'] },
  async () => {
    const { warnings } = await convert(await openAsBlob(pair.path), { to_format: 'jpg' });
    expect(messagesOf(warnings)).toEqual(['The file holds 2 images: only its primary one is kept.']);
  },
);
