import type { Context } from '../context.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. Links stand on lines of their own. */
  readonly text: string;
}

/**
 * Sends a mail without making the caller wait: the time of a response must not tell whether there was one to send.
 * Without an SMTP server the mail goes to the log instead, where the owner of a local install reads it.
 */
export function sendMail(ctx: Pick<Context, 'env' | 'log'>, mail: Mail): void {
  const { SMTP_URL } = ctx.env;
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
