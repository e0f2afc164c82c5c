import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendFile } from '../../server/api/send-file.ts';
import type { Context } from '../../server/base/context.ts';

/** Errors that would have crashed the process. */
let uncaught: unknown[];
const note = (thrown: unknown) => void uncaught.push(thrown);
let others: NodeJS.UncaughtExceptionListener[];
beforeEach(() => {
  uncaught = [];
  others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', note);
});
afterEach(() => {
  process.off('uncaughtException', note);
  for (const other of others) process.on('uncaughtException', other);
});

it('a stream that fails before its first read fails only its own response', async () => {
  const stream = createReadStream('/nothing/is/here');
  const response = await sendFile({} as Context, new Request('http://localhost/cdn/x'), {
    bytes: 10,
    sha256: 'ab',
    headers: new Headers(),
    open: async () => stream,
  });
  await expect.poll(() => stream.errored).not.toBeNull();
  await wait(0);
  await expect(response.text()).rejects.toMatchObject({ code: 'ENOENT' });
  expect(uncaught).toEqual([]);
});
