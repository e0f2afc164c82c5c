import { findByMediaType } from '../../models/media/image/find-format.ts';

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB'] as const;

/** Formats a file size in decimal units with at most three figures: `812 B`, `3.1 MB`. */
export function formatBytes(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const figures = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(figures)} ${BYTE_UNITS[unit]}`;
}

/** Formats a time span: `0.4 s`, `7 s` for a whole number, `12 s`, `3 min 5 s`. */
export function formatSeconds(count: number): string {
  if (count < 9.95 && !Number.isInteger(count)) return `${count.toFixed(1)} s`;
  const whole = Math.round(count);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Formats a duration as players do: `0:48`, `24:36`. */
export function formatClock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Formats the change in size as a signed percentage, with a true minus sign: `−86 %`. */
export function formatChange(before: number, after: number): string {
  const percent = Math.round((after / before - 1) * 100);
  if (percent === 0) return '±0 %';
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
}

const GROUPED = new Intl.NumberFormat('en');

/** Formats a number with its thousands apart: `64,250`. */
export function formatNumber(number: number): string {
  return GROUPED.format(number);
}

export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Cuts a decimal amount in US dollars to whole cents, downwards: `0.998` is `0.99`. */
export function cutToCents(usd: string): string {
  const [whole = '0', decimals = ''] = usd.split('.');
  return `${whole}.${decimals.padEnd(2, '0').slice(0, 2)}`;
}

/** Says in words how a size changed: `46 % larger`, `62 % smaller`, `3.2 times as large`, `the same size`. */
export function describeSizeChange(before: number, after: number): string {
  const percent = Math.round((after / before - 1) * 100);
  if (percent >= 300) return `${(after / before).toFixed(1)} times as large`;
  if (percent === 0) return 'the same size';
  return `${Math.abs(percent)} % ${percent > 0 ? 'larger' : 'smaller'}`;
}

/** Names an image format by its media type: `JPG` for `image/jpeg`. */
export function formatName(mediaType: string): string {
  return findByMediaType(mediaType)?.name ?? (mediaType.split('/').pop() ?? '').toUpperCase();
}
