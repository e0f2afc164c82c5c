import type { Context } from '../base/context.ts';
import type { Env } from '../base/env.ts';
import { isLocal } from '../base/is-local.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. Links have lines of their own. */
  readonly text: string;
}

/** Returns the way of a mail: by an SMTP server, into the log of a local install, or none. */
export function findMailTransport(env: Pick<Env, 'SMTP_URL' | 'PUBLIC_URL'>): 'smtp' | 'log' | 'none' {
  if (env.SMTP_URL !== undefined) return 'smtp';
  return isLocal(env) ? 'log' : 'none';
}

/**
 * Sends a mail without making the caller wait: the time of a response must not reveal whether there was one to send.
 * Without an SMTP server the mail of a local install goes to its log, where the owner reads it. Any other install does
 * not send it: its log is read by more people than the mail is for.
 */
export function sendMail(ctx: Pick<Context, 'env' | 'log'>, mail: Mail): void {
  const { SMTP_URL } = ctx.env;
  if (SMTP_URL === undefined && !isLocal(ctx.env)) {
    ctx.log.error({ subject: mail.subject }, 'No SMTP_URL is set: a mail was not sent.');
    return;
  }
  if (SMTP_URL === undefined) {
    ctx.log.warn(
      { mail },
      `No SMTP_URL is set: the mail "${mail.subject}" to ${mail.to} stands in this line.`,
    );
    return;
  }
  deliver(SMTP_URL, ctx.env.MAIL_FROM, mail).catch((err: unknown) =>
    ctx.log.error({ err, subject: mail.subject }, 'a mail could not be sent'),
  );
}

async function deliver(smtpUrl: string, from: string, mail: Mail): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpUrl);
  try {
    await transport.sendMail({ from, ...mail });
  } finally {
    transport.close();
  }
}
