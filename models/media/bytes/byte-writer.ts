/** Big-endian bytes, and boxes around them. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function u8(...values: number[]): Bytes {
  return new Uint8Array(values);
}

export function u16(...values: number[]): Bytes {
  return new Uint8Array(values.flatMap((value) => [value >>> 8, value]));
}

export function u32(...values: number[]): Bytes {
  return new Uint8Array(values.flatMap((value) => [value >>> 24, value >>> 16, value >>> 8, value]));
}

/** Encodes text as one byte per character. */
export function ascii(text: string): Bytes {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

export function concat(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Writes a box: ISO 14496-12, 4.2. */
export function box(type: string, ...parts: readonly Uint8Array[]): Bytes {
  const body = concat(parts);
  return concat([u32(8 + body.length), ascii(type), body]);
}

/** Writes a box with version and flags: ISO 14496-12, 4.2. */
export function fullBox(
  type: string,
  version: number,
  flags: number,
  ...parts: readonly Uint8Array[]
): Bytes {
  return box(type, u32(version * 0x1000000 + flags), ...parts);
}
