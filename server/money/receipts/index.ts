export {
  addReceiptKey,
  createReceiptSigner,
  listPublicKeys,
  type Receipt,
  type ReceiptFile,
  type SignReceipt,
} from './receipts.ts';
