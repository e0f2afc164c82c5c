export { addReceiptKey, listPublicKeys } from './receipt-keys.ts';
export { createReceiptSigner, type Receipt, type ReceiptFile, type SignReceipt } from './sign-receipt.ts';
