import { OperationError } from '../../core/operation/errors.ts';
import type { ByteWindow } from '../bytes/byte-window.ts';
import { readBoxHead } from '../bytes/iso-boxes.ts';

/** A box of ISO 14496-12, 4.2: `start` and `end` enclose its body. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const BOXES_MAX = 100_000;

/** Reader of the boxes of an MP4 or MOV file, of which it reads a bounded number. */
export class BoxReader {
  readonly #bytes: ByteWindow;
  #count = 0;

  constructor(bytes: ByteWindow) {
    this.#bytes = bytes;
  }

  /**
   * Iterates over the boxes within another; with `start` 0, over those of the file, whose last box may be truncated.
   */
  async boxes(box: Box): Promise<Box[]> {
    const boxes: Box[] = [];
    for await (const each of this.#siblings(box)) boxes.push(each);
    return boxes;
  }

  /** Finds the first box of a type at the top of a file of `size` bytes; null where there is none. */
  async first(wanted: string, size: number): Promise<Box | null> {
    for await (const box of this.#siblings({ start: 0, end: size })) if (box.type === wanted) return box;
    return null;
  }

  /** Iterates over the boxes within the child box of a given type. */
  async path(box: Box, type: string): Promise<Box[]> {
    return this.boxes(requiredBox(await this.boxes(box), type));
  }

  async *#siblings({ start, end }: Pick<Box, 'start' | 'end'>): AsyncGenerator<Box> {
    for (let at = start; at + 8 <= end; ) {
      if (++this.#count > BOXES_MAX) throw damagedMovie('it has too many boxes');
      const { type, headBytes, size: stated } = await readBoxHead(this.#bytes, at);
      const size = stated ?? end - at;
      if (size < headBytes) throw damagedMovie('its boxes are inconsistent');
      if (at + size > end && (start > 0 || type === 'moov')) throw damagedMovie('its header is truncated');
      yield { type, start: at + headBytes, end: Math.min(end, at + size) };
      at += size;
    }
  }

  /** Reads the first bytes of a box's body. */
  async view({ start, end }: Box, length: number): Promise<DataView> {
    if (start + length > end) throw damagedMovie('its boxes are inconsistent');
    return this.#bytes.read(start, length);
  }

  /** Reads a number of a box with a version: of 32 bits, or of 64 in version 1 where it `widens`, at another place. */
  async number(box: Box, at: number, longAt: number, widens = false): Promise<number> {
    const isLong = (await this.view(box, 4)).getUint8(0) === 1;
    const isWide = isLong && widens;
    const start = isLong ? longAt : at;
    const view = await this.view(box, start + (isWide ? 8 : 4));
    return isWide ? Number(view.getBigUint64(start)) : view.getUint32(start);
  }
}

/** Returns the box of a type. @throws OperationError `bad_request` when there is none */
export function requiredBox(boxes: readonly Box[], wanted: string): Box {
  const box = boxes.find(({ type }) => type === wanted);
  if (!box) throw damagedMovie(`it has no ${wanted} box`);
  return box;
}

/** Creates the error for a file whose boxes are missing or inconsistent. */
export function damagedMovie(fault: string): OperationError {
  return new OperationError('bad_request', `The video is damaged: ${fault}. Send the whole file.`, {
    kind: 'damaged',
  });
}
