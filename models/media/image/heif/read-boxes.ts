import { OperationError } from '../../../core/operation/errors.ts';
import { readFourCc } from '../../bytes/read-four-cc.ts';

/** A box of ISO 14496-12, 4.2: `start` and `end` enclose its body, header not included. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const BOXES_MAX = 20_000;

/**
 * Iterates over the consecutive boxes between two offsets.
 * @throws OperationError `bad_request` when one is larger than its container
 */
export function readBoxes(view: DataView, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  let offset = start;
  while (offset + 8 <= end) {
    const size32 = view.getUint32(offset);
    const isLong = size32 === 1;
    if (isLong && offset + 16 > end) throw damagedHeif();
    const size = isLong ? Number(view.getBigUint64(offset + 8)) : size32 || end - offset;
    const headBytes = isLong ? 16 : 8;
    if (size < headBytes || offset + size > end || boxes.length === BOXES_MAX) throw damagedHeif();
    boxes.push({ type: readFourCc(view, offset + 4), start: offset + headBytes, end: offset + size });
    offset += size;
  }
  return boxes;
}

export function findBox(boxes: readonly Box[], type: string): Box | undefined {
  return boxes.find((box) => box.type === type);
}

export function damagedHeif(): OperationError {
  return new OperationError(
    'bad_request',
    'The image is a damaged HEIC or AVIF file: its boxes are inconsistent.',
    { kind: 'damaged' },
  );
}
