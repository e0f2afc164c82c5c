import { Writable } from 'node:stream';
import { createLogger, type Logger } from '../../../server/base/log.ts';

/** Log of a local install, which writes the mails it would send. */
export interface MailLog {
  readonly log: Logger;
  readonly lines: readonly string[];
  /** Returns the link of the last mail to an address. */
  linkFor(email: string): URL;
}

export function createMailLog(): MailLog {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return {
    log: createLogger('info', 'test', sink),
    lines,
    linkFor(email) {
      const mails = lines.flatMap((line) => JSON.parse(line).mail ?? []);
      const mail = mails.findLast(({ to }: { to: string }) => to === email);
      return new URL(/https?:\S+/.exec(mail.text)?.[0] ?? '');
    },
  };
}
