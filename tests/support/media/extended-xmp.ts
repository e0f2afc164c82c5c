import { ascii, type Bytes, concat, u8, u16, u32 } from '../../../models/media/bytes/byte-writer.ts';

const GUID = '0123456789ABCDEF0123456789ABCDEF';
const PORTION_BYTES = 65_000;
const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';

function getPacket(description: string): Bytes {
  return ascii(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${RDF}>${description}</rdf:RDF></x:xmpmeta>`);
}

/**
 * Puts XMP with an extension into a JPEG without any: XMP, part 3, 1.1.3.1.
 * @param history text of the extension, which makes it as long as that
 */
export function withExtendedXmp(jpeg: Bytes, history: string): Bytes {
  const main = getPacket(
    `<rdf:Description rdf:about="" xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmpNote:HasExtendedXMP="${GUID}" dc:source="main"/>`,
  );
  const extension = getPacket(
    `<rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"><photoshop:History>${history}</photoshop:History></rdf:Description>`,
  );
  const portions: Bytes[] = [];
  for (let at = 0; at < extension.length; at += PORTION_BYTES) {
    const head = ascii(`http://ns.adobe.com/xmp/extension/\0${GUID}`);
    portions.push(
      segment(concat([head, u32(extension.length, at), extension.subarray(at, at + PORTION_BYTES)])),
    );
  }
  const standard = segment(concat([ascii('http://ns.adobe.com/xap/1.0/\0'), main]));
  return concat([u8(0xff, 0xd8), standard, ...portions, jpeg.subarray(2)]);
}

function segment(body: Bytes): Bytes {
  return concat([u8(0xff, 0xe1), u16(body.length + 2), body]);
}
