import { ERROR_CODE_HEADER } from '../../../models/operation/errors.ts';
import type { SendFile } from './server-run.ts';

/** Headers of a response that `callService` reads. */
const KEPT_HEADERS = ['retry-after', ERROR_CODE_HEADER];

/** POSTs a file and reports upload progress, which `fetch` cannot. Resolves and rejects as `fetch` does. */
export const sendFile: SendFile = (url, { headers, body, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(1, total));
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(new TypeError(`${url} cannot be reached.`));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    request.send(body);
  });

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of KEPT_HEADERS) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}
