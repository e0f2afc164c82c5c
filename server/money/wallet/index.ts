export {
  type Capture,
  capturing,
  type Hold,
  hasFunds,
  holding,
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
