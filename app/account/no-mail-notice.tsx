import styles from './account.module.css';

/** Says why a page that needs a mail can't be used: the service has no SMTP server. */
export function NoMailNotice({ action }: { readonly action: string }) {
  return (
    <p className={styles.notice}>
      This service can’t send mails, and the link of a mail is needed here. Ask its operator to {action}.
    </p>
  );
}
