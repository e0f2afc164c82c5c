import { isUpright, type Orientation } from '../../../kernels/raster/orient-raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import type { ImageDescription } from './describe-exif.ts';
import { editProperties, type PropertyName } from './edit-properties.ts';
import { FACES, FACES_OF_MICROSOFT, PEOPLE, REGIONS, turnRegions } from './turn-regions.ts';

const NAMESPACES = {
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  note: 'http://ns.adobe.com/xmp/note/',
  camera: 'http://ns.google.com/photos/1.0/camera/',
  iptc: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  acdsee: 'http://ns.acdsee.com/regions/',
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
  /** Turns and mirroring that made the samples upright. */
  readonly orientation: Orientation;
  /** Whether the upright image was then cut, turned or scaled. */
  readonly isReshaped?: boolean;
}

/** Packet that is true of an image, and what was left out for that. */
export interface DescribedXmp {
  readonly xmp: Bytes;
  /** Names of what lay in the image as it was stored, and could not be turned with it. */
  readonly lost: readonly string[];
}

/**
 * Rewrites an XMP packet for an upright image: orientation, sizes, colour space, resolution and media type become those
 * of the image. Thumbnails go, as does what describes a gain map or a video in the former file. Face regions turn with
 * the image; depth maps and other regions of one that was turned go, and all of one that was reshaped.
 * @returns undefined when the packet is malformed: what it says can then be neither trusted nor corrected
 */
export function describeImageInXmp(xmp: Bytes, image: XmpImage): DescribedXmp | undefined {
  const text = decode(xmp);
  if (text === undefined) return undefined;
  const { orientation, isReshaped = false, width, height } = image;
  const isTurned = !isUpright(orientation);
  const turned = isTurned && !isReshaped ? turnRegions(text, orientation, { width, height }) : null;
  const lost = new Set(turned?.lost);
  const edited = editProperties(turned?.text ?? text, (property) => {
    const stored =
      (isTurned || isReshaped ? nameStored(property) : undefined) ??
      (isReshaped ? nameFaces(property) : undefined);
    if (stored) lost.add(stored);
    if (stored || isObsolete(property)) return 'remove';
    const value = describedValue(property, image);
    return value === undefined ? 'keep' : { value };
  });
  return edited === null ? undefined : { xmp: new TextEncoder().encode(edited), lost: [...lost] };
}

/** Reads UTF-8, which all formats but PDF require, with or without padding by zeros. */
function decode(xmp: Bytes): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(xmp).replace(/\0+$/, '');
  } catch {
    return undefined;
  }
}

/** Names what lies as the image was stored; undefined for everything else. */
function nameStored({ namespace, name }: PropertyName): string | undefined {
  if (STORED_IMAGES.has(namespace)) return 'depth map';
  if (namespace === NAMESPACES.acdsee) return 'regions of ACDSee';
  return namespace === NAMESPACES.iptc && name === 'ImageRegion' ? 'image regions of IPTC' : undefined;
}

function nameFaces({ namespace, name }: PropertyName): string | undefined {
  if (namespace === REGIONS && name === 'Regions') return FACES;
  return namespace === PEOPLE && name === 'RegionInfo' ? FACES_OF_MICROSOFT : undefined;
}

function isObsolete({ namespace, name }: PropertyName): boolean {
  if (APPENDED.has(namespace)) return true;
  switch (namespace) {
    case NAMESPACES.xmp:
      return name === 'Thumbnails';
    case NAMESPACES.note:
      return name === 'HasExtendedXMP';
    case NAMESPACES.camera:
      return /^(MicroVideo|MotionPhoto)/.test(name);
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
