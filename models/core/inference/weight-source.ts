import { isRelayed, type WeightCard } from '../runtime/weight-card.ts';

/** Redirect targets of publishers that allow browsers, besides their own host: a policy has to name these too. */
const REDIRECTS: Readonly<Record<string, readonly string[]>> = {
  // Its file store, by region and kind of storage: cdn-lfs.hf.co, cas-bridge.xethub.hf.co, us.aws.cdn.hf.co, ...
  'https://huggingface.co': ['https://*.huggingface.co', 'https://*.hf.co'],
};

/**
 * Reason why a source did not give the bytes. `isLasting`: a retry would change nothing. `isWrong`: it has other bytes
 * under that name.
 */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  readonly isLasting: boolean;
  readonly isWrong: boolean;

  constructor(
    message: string,
    { isLasting, isWrong = false, cause }: { isLasting: boolean; isWrong?: boolean; cause?: unknown },
  ) {
    super(message, { cause });
    this.isLasting = isLasting;
    this.isWrong = isWrong;
  }
}

/** Part of a file that a response carries. */
export interface FilePart {
  /** Offset of the first byte in the file: as requested, or 0 when the source cannot resume. */
  readonly offset: number;
  /** Size of the whole file; null when the source does not say. */
  readonly bytesTotal: number | null;
}

export interface OpenedSource extends FilePart {
  /** Throws SourceFault where the transfer breaks off. */
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Discards unread bytes. */
  cancel(): void;
}

/** Place that may hold a weight file. */
export interface Source {
  /** Display name: no path, no whole URL. */
  readonly name: string;
  /** Reports whether asking is worthwhile. */
  mayHave(): Promise<boolean>;
  /**
   * Opens the file.
   * @throws SourceFault
   */
  open(offset: number, signal: AbortSignal): Promise<OpenedSource>;
}

/**
 * Reads the part that an HTTP response with status 200 or 206 carries: RFC 9110, section 14.4.
 * @throws SourceFault for another status, or an undescribed part
 */
export function parsePartResponse(
  status: number,
  header: (name: 'content-length' | 'content-range') => string | null,
): FilePart {
  if (status === 200) return { offset: 0, bytesTotal: wholeNumber(header('content-length')) };
  if (status !== 206) {
    const isLasting = status < 500 && status !== 429;
    throw new SourceFault(`responded with status ${status}`, { isLasting });
  }
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header('content-range') ?? '') ?? [];
  if (start === undefined) {
    throw new SourceFault('responded to a range request without a Content-Range', { isLasting: true });
  }
  return { offset: Number(start), bytesTotal: wholeNumber(total ?? null) };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Returns the origins from which a browser may fetch weights itself, for a Content-Security-Policy. */
export function browserOrigins(weights: readonly WeightCard[]): readonly string[] {
  const published = weights
    .filter((card) => !isRelayed(card))
    .flatMap(({ url }) => {
      const [origin] = /^https:\/\/[^/]+/.exec(url ?? '') ?? [];
      return origin === undefined ? [] : [origin, ...(REDIRECTS[origin] ?? [])];
    });
  return [...new Set(published)];
}
