export { hasStripe } from './client.ts';
export { collectOwed } from './collect-owed.ts';
export { type CheckoutOrder, createCheckout, TOP_UP_MAX, TOP_UP_MIN } from './create-checkout.ts';
export { handleEvent } from './handle-event.ts';
export { purgeEvents } from './purge-events.ts';
export { syncPayment } from './sync-payment.ts';
export { topUpAutomatically } from './top-up-automatically.ts';
