/**
 * Messages in the wire format of Protocol Buffers: a field is its number and kind as a varint, then the value.
 */

/** Field as a message holds it. */
export interface WireField {
  readonly number: number;
  /** Value of a whole number, 0 for another kind. */
  readonly integer: number;
  /** Bytes of a text, message or list, none for another kind. */
  readonly value: Buffer;
  /** The whole field, as `message` takes it. */
  readonly raw: Buffer;
}

export function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

export function varint(field: number, value: number): Buffer {
  return Buffer.from([...base128(field << 3), ...base128(value)]);
}

export function bytes(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...base128((field << 3) | 2), ...base128(value.length)]), value]);
}

export function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

export function float(field: number, value: number): Buffer {
  const number = Buffer.alloc(4);
  number.writeFloatLE(value);
  return Buffer.concat([Buffer.from(base128((field << 3) | 5)), number]);
}

/**
 * Splits a message into its fields, in their order.
 * @throws RangeError when the message ends within a field, or has a field of a kind that is no longer in use
 */
export function fieldsOf(source: Uint8Array): WireField[] {
  const all = Buffer.from(source.buffer, source.byteOffset, source.length);
  const fields: WireField[] = [];
  let at = 0;
  const next = (): number => {
    let [value, scale] = [0, 1];
    for (; ; scale *= 128) {
      const byte = all[at++];
      if (byte === undefined) throw new RangeError('the message ends within a field');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < all.length) {
    const start = at;
    const key = next();
    const kind = key % 8;
    const integer = kind === 0 ? next() : 0;
    const length = { 0: 0, 1: 8, 2: kind === 2 ? next() : 0, 5: 4 }[kind];
    if (length === undefined) throw new RangeError(`a field of the kind ${kind} cannot be read`);
    const value = kind === 2 ? all.subarray(at, at + length) : all.subarray(0, 0);
    at += length;
    if (at > all.length) throw new RangeError('the message ends within a field');
    fields.push({ number: Math.floor(key / 8), integer, value, raw: all.subarray(start, at) });
  }
  return fields;
}

function base128(value: number): number[] {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128);
  return [...groups, rest];
}
