export { findMailTransport, type Mail, sendMail } from './send-mail.ts';
