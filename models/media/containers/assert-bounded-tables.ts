import { OperationError } from '../../core/operation/errors.ts';
import { ByteWindow } from '../bytes/byte-window.ts';
import { readBoxHead } from '../bytes/iso-boxes.ts';

/** Boxes that hold others, as readers descend into them wherever they are. */
const CONTAINERS = new Set([
  ...['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'edts', 'mvex'],
  ...['moof', 'traf', 'sinf', 'schi'],
]);
/** Boxes that are counted over all of a file: a fragment has about seven. */
const BOXES_MAX = 1_000_000;
/** Tables nest no deeper: moov, trak, mdia, minf, stbl. */
const DEPTH_MAX = 12;
/** Boxes in which readers look for others, tracks among them, behind heads of various lengths. */
const LOOSE = new Set(['meta', 'udta']);
/** Names of the tables, which such boxes within a track, and whatever is outside of one, have no use for. */
const TABLE_NAMES = /st(?:sz|z2|co|ss|ts|sc)|co64|ctts|trun|saiz/;
/** Bytes of a table that are read at once. */
const BLOCK_BYTES = 1_048_576;
/** Samples by which tables may disagree, as those of careless writers do. */
const SLACK = 10_000;
/** Samples per byte of a file: QDesign Music at its lowest rate has 44. */
const SAMPLES_PER_BYTE = 64;
/** Limit on names of metadata, and on samples of one size that have composition offsets: readers list them one by one. */
const LISTED_MAX = 1_000_000;
/** Limit on the samples of one fragment, which readers list one by one. */
const FRAGMENT_SAMPLES_MAX = 1_000_000;

interface OpenBox {
  readonly type: string;
  /** Place of its head. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Whether the file ends before it. */
  readonly isCut: boolean;
}

/** Tables of a track: ISO 14496-12, 8.6 and 8.7. */
interface Tables {
  samples: number;
  /** Whether each sample has its own size, and so takes bytes of the table. */
  isSizedEach: boolean;
  chunks: number;
  timed: number;
  offsets: number;
  largestChunk: number;
  lastFirstChunk: number;
}

/**
 * Checks that the tables of samples of an MP4 or MOV file count no more than the file can hold. Mediabunny (1.61) has
 * no such bounds: a file of 12 kB with a chunk of 2^32 samples kept it in one loop for an hour, and one with a fragment
 * of 2^24 samples took half a gigabyte. Other containers pass, and boxes that other readers refuse.
 * @throws OperationError `bad_request` when they do
 */
export async function assertBoundedTables(file: Blob): Promise<void> {
  const checker = new TableChecker(file);
  const fragments = new Set<number>();
  const indexes: OpenBox[] = [];
  for await (const box of checker.boxes(0, file.size)) {
    if (box.type === 'moov') await checker.check(box, null, 0);
    // Of one that is cut off readers find no end.
    if (box.type === 'mfra' && !box.isCut) indexes.push(box);
    if (box.type !== 'moof') continue;
    fragments.add(box.at);
    await checker.checkFragment(box);
  }
  const last = fragments.size > 0 ? await checker.findLastIndex() : null;
  for (const index of last ? [...indexes, last] : indexes) {
    await checker.check(index, null, 0);
    await checker.checkIndex(index, fragments);
  }
}

function newTables(): Tables {
  return {
    samples: 0,
    isSizedEach: true,
    chunks: 0,
    timed: 0,
    offsets: 0,
    largestChunk: 0,
    lastFirstChunk: 0,
  };
}

function inconsistent(): OperationError {
  return new OperationError(
    'bad_request',
    'The file is damaged: its tables of samples are inconsistent. Export it again.',
    { kind: 'damaged' },
  );
}

function assertTable(isBounded: boolean): void {
  if (!isBounded) throw inconsistent();
}

class TableChecker {
  readonly #bytes: ByteWindow;
  readonly #size: number;
  #boxes = 0;
  #fragmentSamples = 0;
  /** Samples of fragments that take no bytes of their header. */
  #impliedSamples = 0;

  constructor(file: Blob) {
    this.#bytes = new ByteWindow(file, { noun: 'video', readsMax: Number.POSITIVE_INFINITY });
    this.#size = file.size;
  }

  /** Iterates over boxes up to the first that is none. A box may claim to reach beyond its parent, as readers allow. */
  async *boxes(start: number, end: number): AsyncGenerator<OpenBox> {
    for (let at = start; at + 8 <= Math.min(end, this.#size); ) {
      assertTable(++this.#boxes <= BOXES_MAX);
      if (at + 16 > this.#size && (await this.#bytes.read(at, 4)).getUint32(0) === 1) return;
      const { type, headBytes, size } = await readBoxHead(this.#bytes, at);
      if (size === null || size < headBytes) return;
      yield {
        type,
        at,
        start: at + headBytes,
        end: Math.min(at + size, this.#size),
        isCut: at + size > this.#size,
      };
      at += size;
    }
  }

  /**
   * Checks the tables within a box.
   * @param tables of the innermost track or fragment; null outside, where none count
   */
  async check(box: OpenBox, tables: Tables | null, depth: number): Promise<void> {
    assertTable(depth <= DEPTH_MAX);
    for await (const child of this.boxes(box.start, box.end)) {
      if (LOOSE.has(child.type)) {
        if (tables) await this.#assertNoTables(child);
        const start = child.start + (await this.#versionBytes(child));
        await this.check({ ...child, start }, tables, depth + 1);
      } else if (child.type === 'trak') await this.#checkTrack(child, depth + 1);
      else if (child.type === 'moof') await this.checkFragment(child, depth + 1);
      else if (CONTAINERS.has(child.type)) await this.check(child, tables, depth + 1);
      else if (child.type === 'keys') await this.#readKeys(child);
      else if (tables) await this.#readTable(child, tables);
      // Readers may take it for one of the track before.
      else assertTable(!TABLE_NAMES.test(child.type));
    }
  }

  async #checkTrack(box: OpenBox, depth: number): Promise<void> {
    const own = newTables();
    await this.check(box, own, depth);
    this.#assertTogether(own);
  }

  async checkFragment(box: OpenBox, depth = 0): Promise<void> {
    this.#fragmentSamples = 0;
    await this.#checkTrack(box, depth);
  }

  /** Returns the bytes before the boxes within a `meta`, which QuickTime writes without a version. */
  async #versionBytes({ type, start, end }: OpenBox): Promise<number> {
    if (type !== 'meta' || start + 4 > end) return 0;
    return (await this.#bytes.read(start, 4)).getUint32(0) === 0 ? 4 : 0;
  }

  /** Finds the index that the last bytes of a file point at, wherever it is: ISO 14496-12, 8.8.11. */
  async findLastIndex(): Promise<OpenBox | null> {
    const at = this.#size - (await this.#bytes.read(this.#size - 4, 4)).getUint32(0);
    for await (const box of this.boxes(Math.max(0, at), this.#size)) return box.type === 'mfra' ? box : null;
    return null;
  }

  /** Checks that an index names fragments that were checked: readers go to its places, whatever is there. */
  async checkIndex(index: OpenBox, fragments: ReadonlySet<number>): Promise<void> {
    for await (const box of this.boxes(index.start, index.end)) {
      if (box.type !== 'tfra') continue;
      const head = await this.#view(box, 16);
      const isLong = head.getUint8(0) === 1;
      const lengths = head.getUint32(8);
      const numbers = [lengths >> 4, lengths >> 2, lengths].reduce((sum, code) => sum + (code & 3) + 1, 0);
      const [offsetAt, step] = isLong ? [8, 16 + numbers] : [4, 8 + numbers];
      const count = head.getUint32(12);
      assertTable(16 + count * step <= box.end - box.start);
      const perBlock = Math.floor(BLOCK_BYTES / step);
      for (let first = 0; first < count; first += perBlock) {
        const entries = Math.min(perBlock, count - first);
        const block = await this.#bytes.read(box.start + 16 + first * step, entries * step);
        for (let entry = 0; entry < entries; entry++) {
          const at = entry * step + offsetAt;
          assertTable(fragments.has(isLong ? Number(block.getBigUint64(at)) : block.getUint32(at)));
        }
      }
    }
  }

  #assertTogether({ samples, isSizedEach, ...counted }: Tables): void {
    const most = samples + SLACK;
    assertTable(samples <= SAMPLES_PER_BYTE * this.#size);
    assertTable(counted.timed <= most && counted.offsets <= most && counted.largestChunk <= most);
    assertTable(counted.lastFirstChunk <= counted.chunks + SLACK);
    assertTable(isSizedEach || counted.offsets === 0 || samples <= Math.min(this.#size, LISTED_MAX));
  }

  async #readTable(box: OpenBox, tables: Tables): Promise<void> {
    switch (box.type) {
      case 'stsz':
        return await this.#readSizes(box, tables);
      case 'stz2': {
        const bits = (await this.#view(box, 8)).getUint8(7);
        const samples = (await this.#view(box, 12)).getUint32(8);
        assertTable(bits > 0 && (samples * bits) / 8 <= box.end - box.start - 12);
        tables.samples = Math.max(tables.samples, samples);
        return;
      }
      case 'stco':
        tables.chunks += await this.#countEntries(box, 4);
        return;
      case 'co64':
        tables.chunks += await this.#countEntries(box, 8);
        return;
      case 'stss':
        await this.#countEntries(box, 4);
        return;
      case 'stts':
        return await this.#eachEntry(box, 8, (view, at) => {
          tables.timed += view.getUint32(at);
        });
      case 'ctts':
        return await this.#eachEntry(box, 8, (view, at) => {
          tables.offsets += view.getUint32(at);
        });
      case 'stsc':
        return await this.#eachEntry(box, 12, (view, at) => {
          const first = view.getUint32(at);
          assertTable(first >= tables.lastFirstChunk);
          tables.lastFirstChunk = first;
          tables.largestChunk = Math.max(tables.largestChunk, view.getUint32(at + 4));
        });
      case 'trun':
        return await this.#readRun(box);
      case 'saiz':
        return await this.#readAuxiliary(box);
    }
  }

  async #readSizes(box: OpenBox, tables: Tables): Promise<void> {
    const view = await this.#view(box, 12);
    const samples = view.getUint32(8);
    const isSizedEach = view.getUint32(4) === 0;
    if (isSizedEach) assertTable(4 * samples <= box.end - box.start - 12);
    else if (samples > 0) tables.isSizedEach = false;
    tables.samples = Math.max(tables.samples, samples);
  }

  /** Reads the count of a run of samples: ISO 14496-12, 8.8.8. */
  async #readRun(box: OpenBox): Promise<void> {
    const view = await this.#view(box, 8);
    const flags = view.getUint32(0);
    const samples = view.getUint32(4);
    const headBytes = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
    const step = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
    assertTable(headBytes + samples * step <= box.end - box.start);
    this.#fragmentSamples += samples;
    if (step === 0) this.#impliedSamples += samples;
    assertTable(this.#fragmentSamples <= FRAGMENT_SAMPLES_MAX);
    assertTable(this.#impliedSamples <= SAMPLES_PER_BYTE * this.#size);
  }

  /** Reads the names of metadata: a reader that meets one without a length does not move on. */
  async #readKeys(box: OpenBox): Promise<void> {
    const count = (await this.#view(box, 8)).getUint32(4);
    assertTable(count <= LISTED_MAX);
    for (let at = box.start + 8, left = count; left > 0; left--) {
      assertTable(at + 8 <= box.end);
      const bytes = (await this.#bytes.read(at, 4)).getUint32(0);
      assertTable(bytes >= 8);
      at += bytes;
    }
  }

  /** Reads the count of sizes of encryption's data for samples: ISO 14496-12, 8.7.8. */
  async #readAuxiliary(box: OpenBox): Promise<void> {
    const at = 4 + ((await this.#view(box, 4)).getUint32(0) & 1 ? 8 : 0);
    const view = await this.#view(box, at + 5);
    const [usual, samples] = [view.getUint8(at), view.getUint32(at + 1)];
    // Sizes that are all the same state bytes of the file.
    assertTable(usual === 0 ? samples <= box.end - box.start - at - 5 : usual * samples <= this.#size);
  }

  /** Returns the number of entries of a table, all of which are there. */
  async #countEntries(box: OpenBox, width: number): Promise<number> {
    const count = (await this.#view(box, 8)).getUint32(4);
    assertTable(8 + count * width <= box.end - box.start);
    return count;
  }

  /** Visits the entries of a table, in blocks: each entry is at an offset of a view. */
  async #eachEntry(
    box: OpenBox,
    width: number,
    visit: (view: DataView, offset: number) => void,
  ): Promise<void> {
    const count = await this.#countEntries(box, width);
    const perBlock = Math.floor(BLOCK_BYTES / width);
    for (let first = 0; first < count; first += perBlock) {
      const entries = Math.min(perBlock, count - first);
      const block = await this.#bytes.read(box.start + 8 + first * width, entries * width);
      for (let entry = 0; entry < entries; entry++) visit(block, entry * width);
    }
  }

  async #assertNoTables({ start, end }: OpenBox): Promise<void> {
    for (let at = start; at < end; at += BLOCK_BYTES) {
      // A name may lie across two blocks.
      const block = await this.#bytes.read(at, Math.min(BLOCK_BYTES + 3, end - at));
      const text = new TextDecoder('latin1').decode(
        new Uint8Array(block.buffer, block.byteOffset, block.byteLength),
      );
      assertTable(!TABLE_NAMES.test(text));
    }
  }

  async #view({ start, end }: OpenBox, length: number): Promise<DataView> {
    assertTable(start + length <= end);
    return await this.#bytes.read(start, length);
  }
}
