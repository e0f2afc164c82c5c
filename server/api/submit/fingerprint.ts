import { createHash } from 'node:crypto';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { isStorable } from '../../../models/core/operation/storable-text.ts';
import { findHashes, readUploadToken } from '../../io/uploads/index.ts';
import { readHeader } from '../transport/read-request.ts';
import { ownUploads } from '../upload-view.ts';
import type { BillableCall } from './billable-call.ts';
import { decodeBase64 } from './receive-file.ts';

/** SHA-256 of files, by what names them in a request: a URL, or the bytes in base64. */
type FileDigests = ReadonlyMap<string, Buffer>;

/**
 * Computes what an Idempotency-Key is bound to: method, path, X-Webhook-URL, and the body as a JSON value. A file whose
 * digest is known counts by its bytes, in whatever form it came.
 */
export function computeFingerprint(
  request: Request,
  body: unknown,
  { inputs }: Pick<Operation, 'inputs'>,
  digests: FileDigests,
): Buffer {
  const normalize = (value: unknown): unknown => {
    if (typeof value === 'string') return getDigest(value) ?? value;
    if (Array.isArray(value)) return value.map(normalize);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [getName(name, member), normalize(member)]);
    // Its order tells nothing. A list of members, since a name may be `__proto__`.
    return { members: members.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)) };
  };
  const getDigest = (value: string) => {
    const digest = digests.get(value);
    return digest && { sha256: digest.toString('hex') };
  };
  // `image_url` and `image_b64` name the same file.
  const getName = (name: string, value: unknown) =>
    Object.hasOwn(inputs, name) && typeof value === 'string' && digests.has(value)
      ? name.replace(/_(url|b64)$/, '')
      : name;
  const { pathname } = new URL(request.url);
  const bound = [request.method, pathname, readHeader(request, 'X-Webhook-URL'), normalize(body)];
  return createHash('sha256').update(JSON.stringify(bound)).digest();
}

/** Computes what earlier versions bound a key to, for responses that one of them has recorded. */
export function computeFormerFingerprint({ method, url }: Request, body: string): Buffer {
  return createHash('sha256')
    .update(`${method} ${new URL(url).pathname}\n`)
    .update(body)
    .digest();
}

/** Finds the digests of the files of a body that need no fetch: of uploads, and of what the body holds itself. */
export async function findDigests(
  { ctx, actor, operation }: BillableCall,
  body: unknown,
): Promise<Map<string, Buffer>> {
  const digests = new Map<string, Buffer>();
  const tokens = new Map<string, string>();
  for (const [name, value] of listTexts(body)) {
    const token = readUploadToken(ctx.env.PUBLIC_URL, value);
    // Its request, or the item of its batch, is refused later.
    if (token !== null && isStorable(token)) tokens.set(value, token);
    if (Object.hasOwn(operation.inputs, name) && operation.inputs[name]?.encoding === 'base64') {
      const bytes = tryDecode(value);
      if (bytes) digests.set(value, createHash('sha256').update(bytes).digest());
    }
  }
  const hashes = await findHashes(ctx.db, ownUploads(actor), [...new Set(tokens.values())]);
  for (const [url, token] of tokens) {
    const hash = hashes.get(token);
    if (hash) digests.set(url, hash);
  }
  return digests;
}

/** Reports whether a body names files whose digests are not known yet. */
export function hasUnknownFiles(body: unknown, digests: FileDigests): boolean {
  return listTexts(body).some(([, value]) => /^https?:/i.test(value) && !digests.has(value));
}

/** Lists the texts of a JSON value, each with the name of the member that it is, or is in a list of. */
function listTexts(value: unknown, name = ''): [name: string, text: string][] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((each) => listTexts(each, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, each]) => listTexts(each, member));
}

function tryDecode(text: string): Buffer | undefined {
  try {
    return decodeBase64(text);
  } catch {
    // The request is refused for it later.
    return undefined;
  }
}
