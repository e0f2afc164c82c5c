export { applyPricing, DEFAULT_PRICING, type Pricing, readPricingFile } from './pricing-file.ts';
