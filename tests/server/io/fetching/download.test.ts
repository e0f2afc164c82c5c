import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { download } from '../../../../server/io/fetching/index.ts';
import { collectGarbage } from '../../../support/processes/collect-garbage.ts';
import { type HttpTarget, startHttpTarget } from '../../../support/servers/http-target.ts';

// 127.0.0.1 plays the public internet, 127.0.0.2 the private network.
const PUBLIC = ['127.0.0.1/32'];
const PICTURE = randomBytes(300_000);

let directory: string;
let target: HttpTarget;
let inside: HttpTarget;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'download-'));
  target = await startHttpTarget((request, response) => {
    const route = ROUTES[request.url ?? ''];
    if (route) route(response, request);
    else response.writeHead(404).end('nothing here');
  });
  inside = await startHttpTarget((_request, response) => response.end('secret'), {
    host: '127.0.0.2',
    port: target.port,
  });
});

afterAll(async () => {
  await Promise.all([target.stop(), inside.stop()]);
  await rm(directory, { recursive: true });
});

afterEach(async () => {
  expect(inside.connectionCount()).toBe(0);
  expect(await readdir(directory)).toEqual([]);
});

const redirect = (location: string) => (response: ServerResponse) =>
  response.writeHead(302, { location }).end('moved');

/** Redirects with the bytes of a Location as they are: Node's own responses refuse them. */
const rawRedirect = (response: ServerResponse, location: string, encoding: BufferEncoding = 'utf8') =>
  response.socket?.end(
    Buffer.from(`HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: ${location}\r\n\r\n`, encoding),
  );

const ROUTES: Record<string, (response: ServerResponse, request: IncomingMessage) => unknown> = {
  '/picture': (response) => response.setHeader('content-type', 'Image/PNG; charset=x').end(PICTURE),
  '/redirect': redirect('/redirect-again'),
  '/redirect-again': redirect('picture'),
  '/loop': redirect('/loop'),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-private': (response) => redirect(`http://127.0.0.2:${target.port}/`)(response),
  '/to-credentials': (response) => redirect(`http://a:b@127.0.0.1:${target.port}/picture`)(response),
  '/to-rebound': (response) => redirect(`http://rebind.example:${target.port}/`)(response),
  '/no-location': (response) => response.writeHead(302).end(),
  '/endless': (response) => {
    const writeBody = () => {
      while (!response.destroyed && response.write(PICTURE));
    };
    response.on('drain', writeBody);
    writeBody();
  },
  '/stalled': (response) => response.writeHead(200, { 'content-length': 1000 }).write('a'),
  '/dripping': (response) => {
    const timer = setInterval(() => response.write('a'), 50);
    setTimeout(collectGarbage, 500);
    response.on('close', () => clearInterval(timer));
  },
  '/silent': () => {},
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('a');
    setTimeout(() => response.destroy(), 50);
  },
  '/compress': (response) => response.setHeader('content-encoding', 'compress').end(PICTURE),
  '/to-utf-8': (response) => rawRedirect(response, `/bücher/日本.png?größe=1`),
  '/to-percent': redirect('/b%C3%BCcher/%E6%97%A5%E6%9C%AC.png?gr%C3%B6%C3%9Fe=1'),
  '/to-latin-1': (response) => rawRedirect(response, '/b\xfccher', 'latin1'),
  '/to-spaces': redirect('/a b/c.png'),
  '/to-host': (response) => rawRedirect(response, `http://bücher.example:${target.port}/picture`),
  '/b%C3%BCcher/%E6%97%A5%E6%9C%AC.png?gr%C3%B6%C3%9Fe=1': (response) => response.end(PICTURE),
  '/b%FCcher': (response) => response.end(PICTURE),
  '/a%20b/c.png': (response) => response.end(PICTURE),
  '/error': (response) => response.writeHead(503).end('later'),
  '/partial': (response) => response.writeHead(206).end('part'),
};

function fetchTo(
  path: string,
  url: string,
  options: Partial<Parameters<typeof download>[1]> = {},
): ReturnType<typeof download> {
  return download(url.startsWith('/') ? target.origin + url : url, {
    path,
    bytesMax: 1_000_000,
    allowNetworks: PUBLIC,
    owner: 'test',
    signal: new AbortController().signal,
    ...options,
  });
}

const fetched = (url: string, options: Partial<Parameters<typeof download>[1]> = {}) =>
  fetchTo(join(directory, 'file'), url, options);

describe('a download', () => {
  test.each(['/picture', '/redirect'])('returns %s whole, with its hash and declared type', async (url) => {
    const path = join(directory, 'kept');
    const downloaded = await fetchTo(path, url);
    expect(downloaded).toEqual({
      bytes: PICTURE.length,
      sha256: createHash('sha256').update(PICTURE).digest(),
      mediaType: 'image/png',
    });
    expect(PICTURE.equals(await readFile(path))).toBe(true);
    await rm(path);
  });

  test('requests the uncompressed file', async () => {
    await fetched('/picture');
    await rm(join(directory, 'file'));
    expect(target.requests.at(-1)?.request.headers['accept-encoding']).toBe('identity');
  });
});

describe('a redirect is followed as browsers do', () => {
  test.each(['/to-utf-8', '/to-percent', '/to-latin-1', '/to-spaces'])('%s', async (url) => {
    expect(await fetched(url)).toMatchObject({ bytes: PICTURE.length });
    await rm(join(directory, 'file'));
  });

  test('to a host beyond ASCII, whose name is looked up in its ASCII form', async () => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    expect(await fetched('/to-host', { resolve })).toMatchObject({ bytes: PICTURE.length });
    expect(asked).toEqual(['xn--bcher-kva.example']);
    await rm(join(directory, 'file'));
  });
});

describe('a rejected download gives the reason and leaves no file', () => {
  test.each([
    ['/missing', 'responded with status 404'],
    ['/error', 'responded with status 503'],
    ['/partial', 'responded with status 206'],
    ['/no-location', 'responded with status 302'],
    ['/loop', 'redirects more than 5 times'],
    ['/to-file', 'the URL it redirects to must be an http:// or https:// URL'],
    ['/to-credentials', 'the URL it redirects to must not contain a user name'],
    ['/to-private', 'must resolve to a public address'],
    ['/compress', 'compressed (Content-Encoding: compress)'],
    ['/cut', 'broke off before its end'],
    ['/stalled', 'the transfer stalled', { stallMs: 400 }],
    ['/silent', 'did not respond in time', { headersMs: 400 }],
    ['/dripping', 'took too long', { totalMs: 1_000 }],
  ])('%s: %s', async (url, reason, limit?: object) => {
    // Wide where another limit is meant: a busy machine is late at times.
    const timeouts = { headersMs: 60_000, stallMs: 60_000, totalMs: 120_000, ...limit };
    const failure = await fetched(url, { timeouts }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'bad_request', message: expect.stringContaining(reason) });
    expect(failure).toMatchObject({ message: expect.stringMatching(/\.$/) });
  });

  test('a private address', async () => {
    await expect(fetched(`http://127.0.0.2:${target.port}/`)).rejects.toThrow(
      'must resolve to a public address',
    );
  });

  test('a server that refuses the connection', async () => {
    await expect(fetched('http://127.0.0.1:1/')).rejects.toThrow('refused the connection');
  });

  test('a server that does not speak HTTP', async () => {
    const server = createServer((socket) => socket.on('error', () => {}).end('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await expect(fetched(`http://127.0.0.1:${port}/`)).rejects.toThrow('did not respond in HTTP');
    await expect(fetched(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'bad_request' });
    server.close();
  });
});

describe('a size above the limit', () => {
  test('declared: rejected before the body', async () => {
    await expect(fetched('/picture', { bytesMax: 299_999 })).rejects.toThrow(
      'must be at most 299,999 bytes.',
    );
  });

  test('not declared: cut off while it streams', async () => {
    await expect(fetched('/endless', { bytesMax: 5_000_000 })).rejects.toThrow(
      'must be at most 5,000,000 bytes',
    );
  });

  test('a file of exactly the limit is accepted', async () => {
    expect(await fetched('/picture', { bytesMax: 300_000 })).toMatchObject({ bytes: 300_000 });
    await rm(join(directory, 'file'));
  });
});

describe('a name whose address changes', () => {
  /** Resolves to a public address first and to a private one from then on. */
  const rebinding = () => {
    let asked = 0;
    return async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  };

  test('is connected to at the checked address', async () => {
    const { bytes } = await fetched(`http://rebind.example:${target.port}/picture`, { resolve: rebinding() });
    expect(bytes).toBe(PICTURE.length);
    await rm(join(directory, 'file'));
  });

  test('is checked again on a redirect to itself', async () => {
    const resolve = rebinding();
    const closing = await startHttpTarget((_request, response) => {
      response
        .writeHead(302, { location: `http://rebind.example:${target.port}/`, connection: 'close' })
        .end();
    });
    await expect(fetched(`http://rebind.example:${closing.port}/`, { resolve })).rejects.toThrow(
      'must resolve to a public address',
    );
    await closing.stop();
  });

  test('is rejected when it resolves to a private address', async () => {
    const resolve = async () => [{ address: '127.0.0.2', family: 4 }];
    await expect(fetched('/to-rebound', { resolve })).rejects.toThrow('must resolve to a public address');
  });
});

describe('errors that the URL does not cause', () => {
  test('an abort rejects with its own reason', async () => {
    const controller = new AbortController();
    const reason = new Error('the client left');
    setTimeout(() => controller.abort(reason), 100);
    await expect(fetched('/stalled', { signal: controller.signal })).rejects.toBe(reason);
  });

  test('a disk that cannot be written is not a bad_request', async () => {
    const path = join(directory, 'no-such-folder', 'file');
    await expect(fetchTo(path, '/picture')).rejects.toMatchObject({ code: 'ENOENT' });
    expect(existsSync(path)).toBe(false);
  });
});
