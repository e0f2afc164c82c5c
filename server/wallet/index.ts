export { assertAvailable } from './assert-available.ts';
export { balance } from './balance.ts';
export { capture } from './capture.ts';
export { hold, tooLow } from './hold.ts';
export { openWallet } from './open-wallet.ts';
export { reconcile } from './reconcile.ts';
export { release } from './release.ts';
export { takeBack } from './take-back.ts';
export { topUp } from './top-up.ts';
