/** Field of a message in the wire format of Protocol Buffers, as the message holds it. */
export interface WireField {
  readonly number: number;
  /** Value of a whole number, 0 for another kind. */
  readonly integer: number;
  /** Bytes of a text, message or list, none for another kind. */
  readonly value: Uint8Array;
  /** The whole field. */
  readonly raw: Uint8Array;
}

/**
 * Splits a message into its fields, in their order, as views of its bytes.
 * @throws RangeError when the message ends within a field, or has a field of a kind that is no longer in use
 */
export function readFields(message: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const next = (): number => {
    let [value, scale] = [0, 1];
    for (; ; scale *= 128) {
      const byte = message[at++];
      if (byte === undefined) throw new RangeError('the message ends within a field');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const key = next();
    const kind = key % 8;
    const integer = kind === 0 ? next() : 0;
    const length = { 0: 0, 1: 8, 2: kind === 2 ? next() : 0, 5: 4 }[kind];
    if (length === undefined) throw new RangeError(`a field of the kind ${kind} cannot be read`);
    const value = kind === 2 ? message.subarray(at, at + length) : message.subarray(0, 0);
    at += length;
    if (at > message.length) throw new RangeError('the message ends within a field');
    fields.push({ number: Math.floor(key / 8), integer, value, raw: message.subarray(start, at) });
  }
  return fields;
}
