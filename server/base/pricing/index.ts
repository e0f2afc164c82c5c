export { applyPricing } from './priced-operations.ts';
export { DEFAULT_PRICING, type Pricing, readPricingFile } from './pricing-file.ts';
