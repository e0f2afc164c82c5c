import type { RawFrame } from './raw-frame.ts';

/** kbps by index: ISO 11172-3, 2.4.2.3, for layers I, II and III; then ISO 13818-3, 2.4.2.3, for layer I, others. */
const BITRATES = [
  [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** Reads the head of a frame of MPEG audio, layer I to III; null where there is none, or its size is left open. */
export function readMpegFrame(head: Uint8Array): RawFrame | null {
  const [first = 0, second = 0, third = 0, fourth = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const fullRate = SAMPLE_RATES[(third >> 2) & 3];
  if (version === 1 || layer === 4 || !fullRate) return null;
  const isFirst = version === 3;
  const table = isFirst ? BITRATES[layer - 1] : BITRATES[layer === 1 ? 3 : 4];
  const kilobits = table?.[(third >> 4) - 1];
  if (!kilobits) return null;
  const sampleRate = fullRate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152;
  const slotBytes = layer === 1 ? 4 : 1;
  const padding = (third >> 1) & 1;
  const slots = Math.floor((samples / 8 / slotBytes) * ((kilobits * 1000) / sampleRate)) + padding;
  return {
    codec: `mp${layer}`,
    bytes: slots * slotBytes,
    samples,
    sampleRate,
    channelCount: fourth >> 6 === 3 ? 1 : 2,
  };
}
