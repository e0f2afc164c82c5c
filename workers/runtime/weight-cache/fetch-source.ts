import {
  type OpenedSource,
  parsePartResponse,
  type Source,
  SourceFault,
} from '../../../models/core/inference/weight-source.ts';
import { getMessage } from '../../../models/core/operation/errors.ts';
import { sha256 } from '../../../models/media/bytes/digests.ts';

/** A source that is silent this long counts as gone: the received bytes are kept, and the download resumes. */
const SILENCE_MS = 30_000;

/**
 * Creates a source on the web; another host must allow everybody to read it (CORS).
 * @param cache `no-store` where we store the bytes ourselves, so that the browser does not store them twice
 */
export function fetchSource(name: string, url: string, cache: 'default' | 'no-store'): Source {
  return { name, mayHave: async () => true, open: (offset, signal) => open({ url, cache }, offset, signal) };
}

async function open(
  file: { readonly url: string; readonly cache: RequestCache },
  offset: number,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const silence = watchSilence();
  try {
    const response = await fetch(file.url, {
      headers: offset > 0 ? { range: `bytes=${offset}-` } : {},
      cache: file.cache,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 416 && offset > 0) {
      silence.end();
      return await open(file, 0, signal);
    }
    const part = parsePartResponse(response.status, (header) => response.headers.get(header));
    const reader = (response.body ?? new Blob([]).stream()).getReader();
    const cancel = () => {
      silence.end();
      reader.cancel().catch(() => {});
    };
    return { ...part, chunks: getChunks(reader, silence, signal), cancel };
  } catch (cause) {
    silence.end();
    throw getFault(cause, 'cannot be reached', signal);
  }
}

async function* getChunks(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  silence: Silence,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      silence.begin();
      yield next.value;
    }
  } catch (cause) {
    throw getFault(cause, 'broke off', signal);
  } finally {
    silence.end();
    await reader.cancel().catch(() => {});
  }
}

function getFault(cause: unknown, what: string, signal: AbortSignal): unknown {
  if (signal.aborted || cause instanceof SourceFault) return cause;
  const reason = getMessage(cause);
  return new SourceFault(`${what} (${reason})`, { isLasting: false, cause });
}

interface Silence {
  /** Aborted when nothing has arrived for too long. */
  readonly signal: AbortSignal;
  /** Restarts the timer. */
  begin(): void;
  end(): void;
}

function watchSilence(): Silence {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const end = () => clearTimeout(timer);
  const begin = () => {
    end();
    const reason = new Error(`no data for ${SILENCE_MS / 1000} seconds`);
    timer = setTimeout(() => controller.abort(reason), SILENCE_MS);
  };
  begin();
  return { signal: controller.signal, begin, end };
}

/** Computes SHA-256 in hex, by the browser itself where available: on HTTPS and localhost pages. */
export async function getSha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const native: SubtleCrypto | undefined = crypto.subtle;
  if (!native) return sha256(bytes);
  const digest = new Uint8Array(await native.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
