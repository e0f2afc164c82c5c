import sharp from 'sharp';

/** Draws a figure with soft edges on a hilly scene. As PNG, so that every decoder gives the same samples. */
export async function drawSubjectPicture(width = 640, height = 480): Promise<Blob> {
  const scene = `<svg width="${width}" height="${height}" viewBox="0 0 640 480" preserveAspectRatio="none">
    <defs>
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#9cc4e4"/><stop offset="1" stop-color="#e9e0cf"/></linearGradient>
      <radialGradient id="coat"><stop stop-color="#d8452e"/><stop offset="1" stop-color="#6e1a12"/></radialGradient>
    </defs>
    <rect width="640" height="480" fill="url(#sky)"/>
    <path d="M0 330 Q160 250 320 320 T640 300 V480 H0Z" fill="#5d7d4b"/>
    <ellipse cx="320" cy="360" rx="110" ry="170" fill="url(#coat)"/>
    <circle cx="320" cy="150" r="62" fill="#e3b18c"/>
    <path d="M255 140 Q320 40 385 140 Q360 95 320 98 Q280 95 255 140Z" fill="#2b1a12"/>
  </svg>`;
  const picture = sharp(Buffer.from(scene)).removeAlpha().blur(0.8).png();
  return new Blob([new Uint8Array(await picture.toBuffer())]);
}
