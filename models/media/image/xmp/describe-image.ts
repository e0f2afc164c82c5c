import type { Bytes } from '../../bytes/byte-writer.ts';
import type { ImageDescription } from '../exif/describe-image.ts';
import { editProperties, type PropertyName } from './edit-properties.ts';

const NAMESPACES = {
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  note: 'http://ns.adobe.com/xmp/note/',
  camera: 'http://ns.google.com/photos/1.0/camera/',
  regions: 'http://www.metadataworkinggroup.com/schemas/regions/',
  people: 'http://ns.microsoft.com/photo/1.2/',
} as const;

/** Namespaces about gain maps and other files appended to an image, which a converted one does not have. */
const APPENDED: ReadonlySet<string> = new Set([
  'http://ns.adobe.com/hdr-gain-map/1.0/',
  'http://ns.apple.com/HDRGainMap/1.0/',
  'http://ns.google.com/photos/1.0/container/',
  'http://ns.google.com/photos/1.0/container/item/',
]);
/** Namespaces of a depth map and of an original within XMP, which lie as the image was stored. */
const STORED_IMAGES: ReadonlySet<string> = new Set([
  'http://ns.google.com/photos/1.0/depthmap/',
  'http://ns.google.com/photos/1.0/image/',
]);

/** Changes to an image since its metadata was written. */
export interface XmpImage extends ImageDescription {
  readonly mediaType: string;
  /** Whether the samples were turned or mirrored to be upright. */
  readonly wasTurned: boolean;
}

/**
 * Rewrites an XMP packet for an upright image: orientation, sizes, colour space, resolution and media type become those
 * of the image. Thumbnails go, as does what describes a gain map or a video in the former file. So do face regions and
 * depth maps of an image that was turned.
 * @returns undefined when the packet is malformed: what it says can then be neither trusted nor corrected
 */
export function describeImageInXmp(xmp: Bytes, image: XmpImage): Bytes | undefined {
  const text = decode(xmp);
  if (text === undefined) return undefined;
  const edited = editProperties(text, (property) => {
    if (isObsolete(property, image)) return 'remove';
    const value = describedValue(property, image);
    return value === undefined ? 'keep' : { value };
  });
  return edited === null ? undefined : new TextEncoder().encode(edited);
}

/** Reads UTF-8, which all formats but PDF require, with or without padding by zeros. */
function decode(xmp: Bytes): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(xmp).replace(/\0+$/, '');
  } catch {
    return undefined;
  }
}

function isObsolete({ namespace, name }: PropertyName, { wasTurned }: XmpImage): boolean {
  if (APPENDED.has(namespace) || (wasTurned && STORED_IMAGES.has(namespace))) return true;
  switch (namespace) {
    case NAMESPACES.xmp:
      return name === 'Thumbnails';
    case NAMESPACES.note:
      return name === 'HasExtendedXMP';
    case NAMESPACES.camera:
      return /^(MicroVideo|MotionPhoto)/.test(name);
    case NAMESPACES.regions:
      return wasTurned && name === 'Regions';
    case NAMESPACES.people:
      return wasTurned && name === 'RegionInfo';
    default:
      return false;
  }
}

function describedValue({ namespace, name }: PropertyName, image: XmpImage): string | undefined {
  const { width, height, isSrgb, resolution, mediaType } = image;
  const rational = (pixelsPerInch: number | undefined) =>
    pixelsPerInch === undefined ? undefined : `${Math.round(pixelsPerInch * 10_000)}/10000`;
  const values: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
    [NAMESPACES.tiff]: {
      Orientation: '1',
      ImageWidth: String(width),
      ImageLength: String(height),
      XResolution: rational(resolution?.x),
      YResolution: rational(resolution?.y),
      ResolutionUnit: resolution && '2',
    },
    [NAMESPACES.exif]: {
      PixelXDimension: String(width),
      PixelYDimension: String(height),
      ColorSpace: isSrgb ? '1' : undefined,
    },
    [NAMESPACES.dc]: { format: mediaType },
  };
  const own = values[namespace];
  return own && Object.hasOwn(own, name) ? own[name] : undefined;
}
