export { automaticTopUpOf, stopAutomaticTopUps } from './automatic-top-up.ts';
export { hasStripe } from './client.ts';
export { collectOwed } from './collect-owed.ts';
export { createCheckout } from './create-checkout.ts';
export { handleEvent } from './handle-event.ts';
export { listPayments } from './list-payments.ts';
export { purgeEvents } from './purge-events.ts';
export { deleteRetiredCustomers } from './retired-customers.ts';
export { topUpAutomatically } from './top-up-automatically.ts';
