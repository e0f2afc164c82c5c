export { deleteAccount } from './delete-account.ts';
export { exportAccount } from './export-account.ts';
export { ledgerCsv } from './ledger-csv.ts';
