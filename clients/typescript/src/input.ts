import { OPERATIONS } from './operations.ts';
import type { Transport } from './transport.ts';
import type { Input, Media, OperationId } from './types.ts';
import { type UploadOptions, upload } from './upload.ts';

/** Input that a request can name: a URL, and the kind of its file where it is known. */
export interface SentInput {
  readonly url: string;
  readonly media: Media | undefined;
}

/** Uploads a file, or passes a URL on. A stream becomes a Blob first, so that a lost connection can be repeated. */
export async function sendInput(
  transport: Transport,
  input: Input,
  options: UploadOptions,
): Promise<SentInput> {
  if (typeof input === 'string') return { url: input, media: undefined };
  if (input instanceof URL) return { url: input.href, media: undefined };
  const file = input instanceof Blob ? input : await new Response(input).blob();
  return { url: (await upload(transport, file, options)).upload_url, media: mediaOf(file) };
}

/**
 * Returns the request fields of an input: that of its kind, or else the operation's first. The service then says what
 * it reads.
 */
export function inputField(id: OperationId, { url, media }: SentInput): Record<string, string> {
  const fields: Partial<Record<Media, string>> = OPERATIONS[id].fields;
  const name = (media && fields[media]) ?? Object.values(fields)[0] ?? '';
  return { [name]: url };
}

function mediaOf({ type }: Blob): Media | undefined {
  const [kind] = type.split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : undefined;
}
