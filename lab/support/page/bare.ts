interface HeifImage {
  get_width(): number;
  get_height(): number;
  display(target: ImageData, done: (shown: ImageData | null) => void): void;
}

interface Libheif {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

/** Encodes WebP by the browser's shortest path. */
export async function bareWebp(input: Blob, quality: number): Promise<Blob> {
  const bitmap = await createImageBitmap(input);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  return canvas.convertToBlob({ type: 'image/webp', quality: quality / 100 });
}

/** Decodes with libheif's own decoder class, then encodes with the canvas's JPEG encoder. Ignores the profile. */
export async function bareHeicToJpeg(input: Blob, quality: number): Promise<Blob> {
  const { default: createLibheif } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  const libheif = createLibheif({ print() {}, printErr() {} }) as Libheif;
  const [image] = new libheif.HeifDecoder().decode(new Uint8Array(await input.arrayBuffer()));
  if (!image) throw new Error('libheif found no picture');
  const room = new ImageData(image.get_width(), image.get_height());
  const shown = await new Promise<ImageData | null>((resolve) => image.display(room, resolve));
  if (!shown) throw new Error('libheif could not show the picture');
  const canvas = new OffscreenCanvas(shown.width, shown.height);
  canvas.getContext('2d')?.putImageData(shown, 0, 0);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: quality / 100 });
}
