import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, inject } from 'vitest';

/** What the pages' server answered, before it goes on to the browser. */
export interface PageAnswer {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

const STATIC = '/_next/static/';
/** Those of the connection, and those that speak of the bytes as they were sent. */
const NOT_PASSED_ON = [
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'accept-encoding',
  'content-encoding',
  'content-length',
];

/**
 * The built pages behind an address of their own, where what they answer can be altered. Ends with the test file.
 * @param alter changes the headers in place, and gives the body
 * @returns the address, without a slash at the end
 */
export async function servePagesAltered(alter: (answer: PageAnswer) => Buffer | string): Promise<string> {
  const server = createServer(async (request, response) => {
    const { url: path = '/', method = 'GET' } = request;
    const asked = new Headers(request.headers as Record<string, string>);
    for (const name of NOT_PASSED_ON) asked.delete(name);
    const url = inject('studioUrl') + path;
    const answer = await fetch(url, { method, headers: asked, redirect: 'manual' });
    const headers = new Headers(answer.headers);
    for (const name of NOT_PASSED_ON) headers.delete(name);
    const body = alter({ path, headers, body: Buffer.from(await answer.arrayBuffer()) });
    response.writeHead(answer.status, Object.fromEntries(headers)).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Puts a statement before every script, on pages and in workers. */
export function withPreamble({ path, headers, body }: PageAnswer, statement: string): Buffer {
  const isScript = headers.get('content-type')?.includes('javascript') && path.startsWith(STATIC);
  return isScript ? Buffer.concat([Buffer.from(`${statement};\n`), body]) : body;
}
