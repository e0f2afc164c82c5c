export {
  type Capture,
  capture,
  capturing,
  hasFunds,
  hold,
  insufficientBalance,
  nothingToCapture,
  release,
} from './holds.ts';
export {
  countHolds,
  type EntryCursor,
  type EntryQuery,
  listEntries,
  openWallet,
  readBalance,
  reconcileBalances,
} from './ledger.ts';
export { grantFreeCredit, reverseTopUp, topUp } from './top-up.ts';
