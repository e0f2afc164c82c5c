import { findByMediaType } from '../../models/media/image/find-format.ts';

/** Says in words how a size changed: `46 % larger`, `62 % smaller`, `3.2 times as large`, `the same size`. */
export function describeSizeChange(before: number, after: number): string {
  const percent = Math.round((after / before - 1) * 100);
  if (percent >= 300) return `${(after / before).toFixed(1)} times as large`;
  if (percent === 0) return 'the same size';
  return `${Math.abs(percent)} % ${percent > 0 ? 'larger' : 'smaller'}`;
}

/** A file by its media type, with its size in bytes. */
interface Sized {
  readonly mediaType: string;
  readonly bytes: number;
}

/** Says how a conversion changes the size: `HEIC to JPG: 46 % larger`. */
export function describeConversionChange(from: Sized, to: Sized): string {
  return `${formatName(from.mediaType)} to ${formatName(to.mediaType)}: ${describeSizeChange(from.bytes, to.bytes)}`;
}

/** Names an image format by its media type: `JPG` for `image/jpeg`. */
export function formatName(mediaType: string): string {
  return findByMediaType(mediaType)?.name ?? (mediaType.split('/').pop() ?? '').toUpperCase();
}
