/** Frame sizes at 48 kHz by the configuration in a packet's first byte: RFC 6716, 3.1. */
const SILK = [480, 960, 1920, 2880];
const HYBRID = [480, 960];
const CELT = [120, 240, 480, 960];

/** Counts the samples of each channel in an Opus packet, at 48 kHz. */
export function opusPacketFrames([head = 0, count = 0]: Uint8Array): number {
  const config = head >> 3;
  const frame = config < 12 ? SILK[config & 3] : config < 16 ? HYBRID[config & 1] : CELT[config & 3];
  const code = head & 3;
  const frames = code === 0 ? 1 : code === 3 ? count & 63 : 2;
  return frame * frames;
}
