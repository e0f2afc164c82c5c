/** Writes a palette colour. A colour that the palette lacks is black, as in Windows. */
export function writeColour(data: Uint8Array, to: number, palette: Uint8Array, index: number): void {
  data[to] = palette[index * 4] ?? 0;
  data[to + 1] = palette[index * 4 + 1] ?? 0;
  data[to + 2] = palette[index * 4 + 2] ?? 0;
  data[to + 3] = 255;
}
