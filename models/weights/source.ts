/** Why a source did not give the bytes. `isLasting`: asking again would change nothing. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  readonly isLasting: boolean;

  constructor(message: string, { isLasting, cause }: { isLasting: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isLasting = isLasting;
  }
}

/** Which part of which size an answer carries. */
export interface FilePart {
  /** Where in the file the bytes begin: as asked, or 0 when the source cannot begin there. */
  readonly offset: number;
  /** Of the whole file; null when the source does not say. */
  readonly bytesTotal: number | null;
}

export interface OpenedSource extends FilePart {
  /** Throws SourceFault where it breaks off. */
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Lets go of bytes that nobody is going to read. */
  cancel(): void;
}

/** A place that may hold a file of weights. */
export interface Source {
  /** For messages that users see: no path, no whole URL. */
  readonly name: string;
  /** Whether asking is worth it. */
  mayHave(): Promise<boolean>;
  /** @throws SourceFault */
  open(offset: number, signal: AbortSignal): Promise<OpenedSource>;
}

/**
 * Reads what an HTTP answer with the status 200 or 206 carries: RFC 9110, section 14.4.
 * @throws SourceFault for another status, or a part that is not described
 */
export function partOfAnswer(
  status: number,
  header: (name: 'content-length' | 'content-range') => string | null,
): FilePart {
  if (status === 200) return { offset: 0, bytesTotal: wholeNumber(header('content-length')) };
  if (status !== 206) {
    const isLasting = status < 500 && status !== 429;
    throw new SourceFault(`answered with status ${status}`, { isLasting });
  }
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header('content-range') ?? '') ?? [];
  if (start === undefined) {
    throw new SourceFault('answered a range request without a Content-Range', { isLasting: true });
  }
  return { offset: Number(start), bytesTotal: wholeNumber(total ?? null) };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
