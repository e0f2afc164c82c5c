import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import { clientDisconnected } from './problem.ts';
import { type BodyAllowance, WAIT_SECONDS_MAX } from './process-limits.ts';

/** Time for which a refused body is still read and discarded. */
const DRAIN_MS = 5_000;

/** Most values in a body. A batch of 100 items has fewer than a thousand. */
const VALUES_MAX = 10_000;

/** Deepest nesting of a body's objects and lists. The fields of a batch's item are nested 3 deep. */
const DEPTH_MAX = 32;

/** Room for everything in a body but files. */
export const FIELDS_BYTES_MAX = 1_000_000;

/** Room for a usual body; it doubles for larger ones. */
const FIRST_BYTES = 8_192;

/** Returns the size limit of a request's JSON: one that carries its input in base64 needs room for it. */
export function getBodyBytesMax({ inputs, limits }: Pick<Operation, 'inputs' | 'limits'>): number {
  const takesFile = Object.values(inputs).some(({ encoding }) => encoding === 'base64');
  return FIELDS_BYTES_MAX + (takesFile ? Math.ceil(limits.inputBytesMax / 3) * 4 : 0);
}

/**
 * Reads a request body as text, up to the limit.
 * @param room counts the bytes as they arrive; its errors pass unchanged
 * @throws OperationError `bad_request`, `body_too_large` beyond the limit, or `cancelled` when the client leaves
 */
export async function readBody(
  request: Request,
  bytesMax: number,
  room?: Pick<BodyAllowance, 'receive'>,
): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw fieldError('Content-Type', 'must be application/json.');
  }
  // Chunks are copied as they arrive: each of a few bytes would take a hundred times as much.
  let body = Buffer.alloc(FIRST_BYTES);
  let bytes = 0;
  for await (const chunk of iterateBody(request)) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) {
      throw new OperationError('body_too_large', `body: must be at most ${bytesMax} bytes.`);
    }
    room?.receive(chunk.byteLength);
    if (bytes > body.length) body = Buffer.concat([body], Math.max(bytes, 2 * body.length));
    body.set(chunk, bytes - chunk.byteLength);
  }
  return decodeText(body.subarray(0, bytes));
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8, without its byte order mark. @throws OperationError `bad_request` for other bytes */
function decodeText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new OperationError('bad_request', 'body: must be UTF-8.');
  }
}

/**
 * Returns the text of a header, whose bytes Node gives as Latin-1, read as UTF-8; null without the header.
 * @throws OperationError `bad_request` for other bytes
 */
export function readHeader({ headers }: Pick<Request, 'headers'>, name: string): string | null {
  const bytes = headers.get(name);
  try {
    return bytes === null ? null : UTF8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    throw fieldError(name, 'must be UTF-8.');
  }
}

/**
 * Parses one JSON object of bounded complexity.
 * @throws OperationError `bad_request` for anything else
 */
export function parseJsonObject(text: string): object {
  assertJsonLimits(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OperationError('bad_request', 'body: must be valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OperationError('bad_request', 'body: must be a JSON object.');
  }
  return value;
}

/**
 * Checks JSON text before it is parsed: parsed values take many times the bytes of their text, and every later step
 * visits each of them. Whether the text is valid is the parser's to say.
 * @throws OperationError `bad_request` when it has too many values or is nested too deep
 */
function assertJsonLimits(text: string): void {
  const endOfString = stringEnds(text);
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(at);
    else if (character === ',') values += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === '[' || character === '{') {
      values += 1;
      depth += 1;
    }
    if (depth > DEPTH_MAX) throw refusal(`must be nested at most ${DEPTH_MAX} deep`);
    if (values > VALUES_MAX) throw refusal(`must hold at most ${VALUES_MAX} values`);
  }
}

/**
 * Prepares a search for the ends of strings, which may be whole files in base64.
 * @returns a function from the index of an opening quote to that of the closing one, or to the text's length without
 *   one; call it with ascending indices
 */
function stringEnds(text: string): (start: number) => number {
  const nextQuote = ascendingSearch(text, '"');
  const nextEscape = ascendingSearch(text, '\\');
  return (start) => {
    const quote = nextQuote(start + 1);
    let at = nextEscape(start + 1);
    if (quote <= at) return quote;
    for (; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === '\\') at += 1;
    }
    return at;
  };
}

/** Returns a search for the next place of a character, or the text's length. It reads the text only once. */
function ascendingSearch(text: string, character: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    const index = text.indexOf(character, from);
    found = index < 0 ? text.length : index;
    return found;
  };
}

function refusal(fault: string): OperationError {
  return new OperationError('bad_request', `body: ${fault}.`);
}

/**
 * Iterates over the chunks of a request's body, decoded where it is gzip: the caller's limit is on the decoded bytes.
 * Stopping early does not close the connection, which still carries the response.
 * @throws OperationError `cancelled` when the client leaves before the end; `unsupported_encoding`, or `bad_request`
 *   for a broken one
 */
export function iterateBody(
  request: Request,
  reader = request.body?.getReader(),
): AsyncGenerator<Uint8Array> {
  const chunks = iterateChunks(reader);
  const coding = readCoding(request);
  if (coding === null) return chunks;
  if (coding === 'gzip' || coding === 'x-gzip') return gunzip(chunks);
  throw unsupportedEncoding('must be gzip, or absent.');
}

/** Returns the Content-Encoding of a body in lower case; null without one. */
function readCoding({ headers }: Request): string | null {
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  return coding === '' || coding === 'identity' ? null : coding;
}

/** Returns the bytes of a body that its sender declares; 0 without a declaration, and for a coded body. */
export function readDeclaredBytes(request: Request): number {
  return readCoding(request) === null ? Number(request.headers.get('content-length') ?? 0) : 0;
}

function unsupportedEncoding(problem: string): OperationError {
  return fieldError('Content-Encoding', problem, { code: 'unsupported_encoding' });
}

/** Refuses a coded body. @throws OperationError `unsupported_encoding` */
export function assertPlain(request: Request): void {
  if (readCoding(request) !== null) throw unsupportedEncoding('must be absent: send the bytes as they are.');
}

/** Bytes that a coded body may have beyond twice those that it holds. */
const CODED_BYTES_SPARE = 1_000_000;

async function* gunzip(coded: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decompressor = createGunzip();
  let bytes = 0;
  async function* bounded(): AsyncGenerator<Uint8Array> {
    let codedBytes = 0;
    for await (const chunk of coded) {
      codedBytes += chunk.byteLength;
      // Empty members have no end.
      if (codedBytes > 2 * bytes + CODED_BYTES_SPARE) throw new Error('holds too little');
      yield chunk;
    }
  }
  // The reader below receives every error.
  pipeline(bounded(), decompressor).catch(() => {});
  try {
    const chunks: AsyncIterable<Buffer> = decompressor;
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      yield chunk;
    }
  } catch (thrown) {
    if (thrown instanceof OperationError) throw thrown;
    throw fieldError('Content-Encoding', 'is gzip, but the body is not, or is damaged.', { cause: thrown });
  } finally {
    decompressor.destroy();
  }
}

async function* iterateChunks(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  const read = () => reader?.read().catch((thrown) => Promise.reject(clientDisconnected(thrown)));
  for (let next = await read(); next && !next.done; next = await read()) yield next.value;
}

/**
 * Reads a request's body as text.
 * @throws OperationError `body_too_large` as soon as it has more than `bytesMax` bytes
 */
export async function readText(request: Request, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of iterateBody(request)) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) {
      throw new OperationError('body_too_large', `The body must have at most ${bytesMax} bytes.`);
    }
    chunks.push(chunk);
  }
  return decodeText(Buffer.concat(chunks));
}

/**
 * Drains a refused body: most clients read the response only while they can send (RFC 9112, section 9.6). Never
 * rejects.
 */
export async function drainBody(body: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const stop = setTimeout(() => body.cancel().catch(() => {}), DRAIN_MS);
  try {
    while (!(await body.read()).done);
  } catch {
    // The client has left: no one waits for the response.
  } finally {
    clearTimeout(stop);
  }
}

/**
 * Returns the fields of a request's query.
 * @throws OperationError `bad_request` when one is given twice
 */
export function parseQuery(request: Request): Record<string, string> {
  const entries = [...new URL(request.url).searchParams];
  const query = Object.fromEntries(entries);
  if (Object.keys(query).length < entries.length) {
    const names = entries.map(([name]) => name);
    const field = names.find((name, at) => names.indexOf(name) < at);
    throw new OperationError('bad_request', 'query: a field is given twice. Give each once.', { field });
  }
  return query;
}

/**
 * Returns what a request prefers, by name in lower case (RFC 7240). A preference without a value has the empty text.
 * The first one counts where several have the same name.
 */
export function readPreferences({ headers }: Pick<Request, 'headers'>): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const given of headers.get('prefer')?.split(',') ?? []) {
    // Parameters of a preference follow a semicolon. Ours have none, so they are left out.
    const [name = '', value = ''] = (given.split(';')[0] ?? '').split('=').map((part) => part.trim());
    const key = name.toLowerCase();
    if (!preferences.has(key)) preferences.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  return preferences;
}

/** Returns how long a request prefers to wait for the end of its job, in seconds; 0 where it does not. */
export function readWaitSeconds(request: Pick<Request, 'headers'>): number {
  const wait = readPreferences(request).get('wait') ?? '';
  return /^\d{1,9}$/.test(wait) ? Math.min(Number(wait), WAIT_SECONDS_MAX) : 0;
}
