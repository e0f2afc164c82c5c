import sharp from 'sharp';
import { WHITE } from '../../../models/core/runtime/raster.ts';
import { getPicture } from '../../../models/kernels/raster/picture.ts';
import { type Bytes, box, concat, u8 } from '../../../models/media/bytes/byte-writer.ts';
import { readHeifItems } from '../../../models/media/image/heif/read-meta.ts';
import { type HeifItem, writeHeif } from '../../../models/media/image/heif/write-heif.ts';
import { readRaster } from '../../../models/media/image/raster-files.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';

/** Size and colours of an image and of the thumbnail in it, which differ, so that a test can tell them apart. */
export const THUMBNAIL = { width: 128, height: 96, colour: { r: 30, g: 90, b: 200 } } as const;
const MAIN = { width: 1200, height: 900, colour: { r: 200, g: 60, b: 30 } } as const;

interface Plain {
  readonly width: number;
  readonly height: number;
  readonly colour: { readonly r: number; readonly g: number; readonly b: number };
}

const plain = ({ width, height, colour }: Plain) =>
  sharp({ create: { width, height, channels: 3, background: colour } });

/** HEIC with a thumbnail, which is turned by a quarter as phones do it. */
export async function createHeicWithThumbnail(): Promise<Bytes> {
  const [main, ...others] = await heicItems(MAIN);
  const [thumbnail] = await heicItems(THUMBNAIL);
  if (!main || !thumbnail) throw new Error('The encoder wrote no image.');
  const turn = { box: box('irot', u8(3)), isEssential: true };
  const small: HeifItem = {
    ...thumbnail,
    properties: [...(thumbnail.properties ?? []), turn],
    references: [{ type: 'thmb', to: [0] }],
    isHidden: true,
  };
  return concat(writeHeif('heic', ['mif1', 'heic'], [main, ...others, small]));
}

async function heicItems(image: Plain): Promise<HeifItem[]> {
  const { signal } = new AbortController();
  const { images } = createNodeRuntime({ signal });
  const png = new Blob([new Uint8Array(await plain(image).png().toBuffer())]);
  const picture = getPicture(await readRaster(png, { images, signal }), { hasAlpha: false, metadata: {} });
  const options = { format: 'heic', quality: 90, background: WHITE, metadata: {}, signal } as const;
  return readHeifItems(new Uint8Array(await (await images.encode(picture, options)).arrayBuffer()));
}
