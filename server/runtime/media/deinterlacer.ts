import { AV_FRAME_FLAG_INTERLACED, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { FFmpegError, type FilterContext, FilterGraph, Frame } from 'node-av/lib';
import { MICROSECONDS } from './av-decoder.ts';

/**
 * BWDIF (T. Mosgaard, after W3FDIF of the BBC and YADIF): one frame of each two fields, in the order of the fields that
 * the frame states; frames without the mark pass.
 */
const FILTER = 'bwdif=mode=send_frame:parity=auto:deint=interlaced';

/** Deinterlacer of one stream. Progressive frames before the first interlaced one pass without a copy. */
export class Deinterlacer implements Disposable {
  #fields: FieldFilter | null = null;

  /**
   * Takes a frame with its time in microseconds, or null at the end. Yields the frames that are ready, each valid until
   * the next.
   */
  *push(frame: Frame | null): Generator<Frame, void, undefined> {
    if (!frame) {
      yield* this.#flush();
      return;
    }
    if (this.#fields && !this.#fields.fits(frame)) yield* this.#flush();
    if (!this.#fields && !(frame.flags & AV_FRAME_FLAG_INTERLACED)) {
      yield frame;
      return;
    }
    this.#fields ??= new FieldFilter(frame);
    yield* this.#fields.push(frame);
  }

  *#flush(): Generator<Frame, void, undefined> {
    const fields = this.#fields;
    if (!fields) return;
    try {
      yield* fields.push(null);
    } finally {
      fields[Symbol.dispose]();
      this.#fields = null;
    }
  }

  [Symbol.dispose](): void {
    this.#fields?.[Symbol.dispose]();
  }
}

/** Filter graph for frames of one size and format. */
class FieldFilter implements Disposable {
  readonly #graph = new FilterGraph();
  readonly #source: FilterContext;
  readonly #sink: FilterContext;
  readonly #frame = new Frame();
  readonly #shape: string;

  constructor(first: Frame) {
    this.#shape = getShape(first);
    this.#frame.alloc();
    this.#graph.alloc();
    this.#graph.nbThreads = 1;
    const { width, height, format, colorSpace, colorRange } = first;
    const { num, den } = MICROSECONDS;
    const code = this.#graph.parse2(
      `buffer@in=video_size=${width}x${height}:pix_fmt=${format}:time_base=${num}/${den}:pixel_aspect=1/1:colorspace=${colorSpace}:range=${colorRange},${FILTER},buffersink@out`,
    );
    FFmpegError.throwIfError(code, 'set up the deinterlacer');
    FFmpegError.throwIfError(this.#graph.configSync(), 'open the deinterlacer');
    const getFilter = (name: string) =>
      this.#graph.filters?.find((filter) => filter.name?.endsWith(name)) ?? null;
    const [source, sink] = [getFilter('@in'), getFilter('@out')];
    if (!source || !sink) throw new Error('The deinterlacer has no ends.');
    [this.#source, this.#sink] = [source, sink];
  }

  fits(frame: Frame): boolean {
    return getShape(frame) === this.#shape;
  }

  *push(frame: Frame | null): Generator<Frame, void, undefined> {
    FFmpegError.throwIfError(this.#source.buffersrcAddFrameSync(frame), 'deinterlace');
    const { num, den } = this.#sink.buffersinkGetTimeBase();
    const ticks = (num / den) * 1e6;
    for (;;) {
      const code = this.#sink.buffersinkGetFrameSync(this.#frame);
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return;
      FFmpegError.throwIfError(code, 'deinterlace');
      this.#frame.pts = BigInt(Math.round(Number(this.#frame.pts) * ticks));
      this.#frame.duration = BigInt(Math.round(Number(this.#frame.duration) * ticks));
      yield this.#frame;
      this.#frame.unref();
    }
  }

  [Symbol.dispose](): void {
    this.#frame.free();
    this.#graph.free();
  }
}

function getShape({ width, height, format }: Frame): string {
  return `${width} ${height} ${format}`;
}
