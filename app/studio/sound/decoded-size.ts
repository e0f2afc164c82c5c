/** Bytes of a decoded sample. */
const SAMPLE_BYTES = 4;
/** Decoded sound that a tab may hold, by whether the device reports little memory. */
const ROOM_BYTES = 800_000_000;
const SMALL_ROOM_BYTES = 300_000_000;
const SMALL_DEVICE_GB = 4;

/** Reports whether stereo sounds fit in memory decoded. */
export function fitsMemory(
  count: number,
  durationSeconds: number,
  sampleRate: number,
  deviceGigabytes: number | undefined,
): boolean {
  const room =
    deviceGigabytes !== undefined && deviceGigabytes < SMALL_DEVICE_GB ? SMALL_ROOM_BYTES : ROOM_BYTES;
  return count * durationSeconds * sampleRate * 2 * SAMPLE_BYTES <= room;
}
