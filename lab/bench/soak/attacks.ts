import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pause } from '../../../models/core/concurrency.ts';
import { createTimeoutSignal } from '../../../server/base/signals.ts';

/** Target of an attack: the service; besides it, the attacker's own accounts and hosts. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
  /** Key of an account without credit. */
  readonly pennilessKey: string;
  /** Serves `/small.jpg`, `/large.jpg`, `/broken.png`, `/tracks.mkv`, `/long.mp4`. */
  readonly files: string;
  /** Accepts every connection and never responds. */
  readonly silentUrl: string;
}

/** Makes one round of an attack: it takes at most a few seconds and closes its sockets. */
export type Attack = (target: Target, signal: AbortSignal) => Promise<void>;

const HOLD_MS = 5000;

/** Attacks that cost the attacker nothing or next to nothing. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'upgrade requests that no one handles': (target, signal) =>
    holdSockets(
      target,
      20,
      'GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      signal,
    ),
  'headers that never end': (target, signal) =>
    holdSockets(target, 20, 'GET /api/health HTTP/1.1\r\nHost: a\r\nX-A: ', signal),
  'bodies that never end': (target, signal) => holdSockets(target, 10, endlessBody(target.apiKey), signal),
  'responses that no one reads': (target, signal) =>
    holdSockets(target, 10, 'GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20), signal),
  'paths and methods that do not exist': async (target, signal) => {
    for (const path of ['/api/%zz', '/_next/image?url=%0a', '/x.html', '/api/v2/requests/status/%E0%A4%A']) {
      await attempt(target.url + path, { signal });
    }
    await holdSockets(target, 1, 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', signal);
  },
  'strings that PostgreSQL cannot hold': (target, signal) =>
    convert(target, { image_url: `${target.files}/small.jpg\0`, to_format: 'png\ud800' }, signal),
  'large inputs without credit': (target, signal) =>
    repeat(4, () => removeBg(target, { video_url: `${target.files}/long.mp4` }, signal, target.pennilessKey)),
  'broken images': (target, signal) =>
    repeat(5, () => convert(target, { image_url: `${target.files}/broken.png`, to_format: 'webp' }, signal)),
  'files of many tracks': (target, signal) =>
    repeat(2, () => removeBg(target, { video_url: `${target.files}/tracks.mkv` }, signal)),
  'hosts that never respond': (target, signal) =>
    repeat(10, () => convert(target, { image_url: `${target.silentUrl}/a.jpg`, to_format: 'png' }, signal)),
  'names that never resolve': (target, signal) =>
    repeat(20, (index) =>
      convert(target, { image_url: `http://host-${index}.example/a.jpg`, to_format: 'png' }, signal),
    ),
  'webhooks to receivers that never respond': (target, signal) =>
    repeat(5, () =>
      convert(target, { image_url: `${target.files}/small.jpg`, to_format: 'png' }, signal, {
        'x-webhook-url': `${target.silentUrl}/hook`,
      }),
    ),
  'many large images at once': (target, signal) =>
    repeat(6, () => convert(target, { image_url: `${target.files}/large.jpg`, to_format: 'avif' }, signal)),
};

/** Sends `text` on its own sockets, holds them without reading, and leaves. */
async function holdSockets({ url }: Target, count: number, text: string, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => {
    // Half-open, as a client is that has sent its last word and stays.
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => {});
    socket.once('connect', () => socket.write(text));
    return socket.pause();
  });
  await pause(HOLD_MS, signal).catch(() => {});
  await Promise.all(sockets.map(leave));
}

async function leave(socket: Socket): Promise<void> {
  if (socket.closed) return;
  socket.destroy();
  await once(socket, 'close');
}

const endlessBody = (apiKey: string): string =>
  `POST /api/v1/remove-bg HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\n` +
  'Content-Type: application/json\r\nContent-Length: 30000000\r\n\r\n{"image_b64":"';

function convert(
  target: Target,
  body: object,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<void> {
  return attempt(`${target.url}/api/media-tools/v1/image-convert`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'ocp-apim-subscription-key': target.apiKey, ...headers },
    body: JSON.stringify(body),
    signal,
  });
}

function removeBg(target: Target, body: object, signal: AbortSignal, apiKey = target.apiKey): Promise<void> {
  return attempt(`${target.url}/api/v1/remove-bg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
    signal: createTimeoutSignal(HOLD_MS, signal),
  });
}

/** Requests and reads; ignores the response, even its absence. */
async function attempt(url: string, init: RequestInit): Promise<void> {
  await fetch(url, init)
    .then((response) => response.arrayBuffer())
    .catch(() => {});
}

async function repeat(count: number, work: (index: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** Makes a Matroska file of as many empty tracks, two bytes each. */
export function createEmptyTracks(count: number): Uint8Array {
  const element = (id: readonly number[], body: Uint8Array) =>
    Buffer.concat([Buffer.from(id), sizeOf(body.length), body]);
  const tracks = Buffer.alloc(2 * count);
  for (let i = 0; i < count; i++) tracks.set([0xae, 0x80], 2 * i);
  const docType = element([0x42, 0x82], Buffer.from('matroska'));
  const segment = element([0x16, 0x54, 0xae, 0x6b], tracks);
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], docType),
    element([0x18, 0x53, 0x80, 0x67], segment),
  ]);
}

/** Writes an EBML size of eight bytes. */
function sizeOf(length: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE((1n << 56n) | BigInt(length));
  return bytes;
}
