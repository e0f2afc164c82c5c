export { ALERT_SHARES, mailAlerts } from './alerts.ts';
export {
  assertSpendable,
  readKeySpending,
  readTokenSpending,
  refundAccountSpending,
  refundSpending,
  reserve,
  settleAccountSpending,
} from './monthly-caps.ts';
export { readSpending, setAccountCap, setEventUrl } from './settings.ts';
export {
  findReceipt,
  listStatementMonths,
  readStatement,
  type Statement,
  type StatementLine,
} from './statement.ts';
