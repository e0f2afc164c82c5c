export { pricedOperations } from './priced-operations.ts';
export { BUILT_IN_TERMS, readTermsFile, type Terms } from './terms-file.ts';
