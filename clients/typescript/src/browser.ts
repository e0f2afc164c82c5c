import type { Fetch } from './transport.ts';

/**
 * Sends a request from a page, and tells how much of its body has been sent, which `fetch` cannot. Resolves and rejects
 * as `fetch` does. For the option `fetch` of a client.
 */
export const fetchWithProgress: Fetch = async (request, onSent) =>
  onSent ? await sendBody(request, await request.blob(), onSent) : await fetch(request);

function sendBody(
  { method, url, headers, signal }: Request,
  body: Blob,
  onSent: (bytes: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    const abort = () => sending.abort();
    sending.open(method, url);
    for (const [name, value] of headers) sending.setRequestHeader(name, value);
    sending.upload.onprogress = ({ loaded }) => onSent(loaded);
    sending.onload = () => resolve(responseOf(sending));
    sending.onerror = () => reject(new TypeError(`${url} cannot be reached.`));
    sending.onabort = () => reject(signal.reason);
    sending.onloadend = () => signal.removeEventListener('abort', abort);
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    sending.send(body);
  });
}

/** Statuses whose response has no body, and may be given none. */
const BODILESS: readonly number[] = [204, 205, 304];

function responseOf(sending: XMLHttpRequest): Response {
  const { status, responseText } = sending;
  const lines = sending.getAllResponseHeaders().split('\r\n').filter(Boolean);
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name, value.join(': ')];
  });
  return new Response(BODILESS.includes(status) ? null : responseText, { status, headers });
}
