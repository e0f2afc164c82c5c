import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/**
 * Connects the command to the process. The first interruption aborts its work, the second ends it at once.
 * @param cwd folder in which relative paths begin
 */
export function createNodeTerminal(cwd: string = process.cwd()): Terminal {
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    process.stderr.write('\nCanceling…\n');
    stop.abort(new Error('interrupted'));
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  // A reader such as `head` may leave early.
  process.stdout.on('error', () => {});
  return {
    env: process.env,
    cwd,
    signal: stop.signal,
    isWatched: process.stderr.isTTY,
    input: () => process.stdin,
    writeFile: (bytes) => pipeline(bytes, process.stdout, { end: false }),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    askSecret: (question) => askSecret(question, interrupt),
  };
}

async function askSecret(question: string, interrupt: () => void): Promise<string> {
  process.stderr.write(question);
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const input = process.stdin;
  const lines = createInterface({ input, output: muted, terminal: input.isTTY === true });
  lines.on('SIGINT', () => {
    interrupt();
    lines.close();
  });
  return await new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      if (input.isTTY) process.stderr.write('\n');
      resolve('');
    });
  });
}
