export { type Mail, mailWay, sendMail } from './send-mail.ts';
