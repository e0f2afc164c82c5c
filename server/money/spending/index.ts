export {
  assertAccountBudget,
  refundAccountSpending,
  reserveAccountSpending,
  settleAccountSpending,
} from './account-spending.ts';
export { ALERT_SHARES, mailAlerts } from './alerts.ts';
export { readSpending, setAccountCap, setEventUrl } from './settings.ts';
export {
  findReceipt,
  listStatementMonths,
  readStatement,
  type Statement,
  type StatementLine,
} from './statement.ts';
