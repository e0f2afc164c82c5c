import sharp from 'sharp';

const SIDE = 24;

/** Makes an animation whose frames all differ. */
export async function createAnimation(frames: number, format: 'gif' | 'webp'): Promise<Buffer> {
  const data = Buffer.alloc(SIDE * SIDE * frames * 3);
  for (let at = 0; at < data.length; at += 3) {
    const y = Math.floor(at / 3 / SIDE);
    const frame = Math.floor(y / SIDE);
    data[at] = y % SIDE === frame % SIDE ? 255 : 40;
    data[at + 1] = (frame * 40) % 256;
  }
  const raw = { width: SIDE, height: SIDE * frames, channels: 3, pageHeight: SIDE } as const;
  return sharp(data, { raw }).toFormat(format).toBuffer();
}
