import sharp, { type Sharp } from 'sharp';

/** Lines of one pixel on white, which half the colour resolution turns brown. */
export const RED = [252, 52, 25] as const;

/** Draws thin red lines on white, 160 x 120, at odd and even places. */
export function drawThinLines(): Sharp {
  return draw(160, 120, (x, y) => (x % 9 === 4 || y % 11 === 5 ? RED : [255, 255, 255]));
}

/** Draws black and gray lines of one pixel on white, 160 x 120. */
export function drawGrayLines(): Sharp {
  return draw(160, 120, (x, y) => {
    const level = x % 9 === 4 ? 0 : y % 11 === 5 ? 90 : 255;
    return [level, level, level];
  });
}

/** Draws overlapping discs in pure colours, 240 x 160, with soft edges as fonts and vectors have. */
export function drawDiscs(): Sharp {
  const discs = [
    { x: 70, y: 70, radius: 50, colour: [220, 30, 40] },
    { x: 120, y: 90, radius: 40, colour: [30, 150, 60] },
    { x: 170, y: 70, radius: 45, colour: [40, 60, 210] },
  ] as const;
  return draw(240, 160, (x, y) =>
    discs.reduce<readonly number[]>(
      (under, disc) => {
        const cover = Math.max(0, Math.min(1, disc.radius - Math.hypot(x - disc.x, y - disc.y) + 0.5));
        return under.map((value, channel) => value + ((disc.colour[channel] as number) - value) * cover);
      },
      [250, 245, 230],
    ),
  );
}

function draw(width: number, height: number, colourAt: (x: number, y: number) => readonly number[]): Sharp {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) data.set(colourAt(x, y).map(Math.round), at);
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}
