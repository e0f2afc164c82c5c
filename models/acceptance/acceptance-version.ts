/**
 * Changes whenever samples, measures or what an engine does around its graph change: then each device measures anew.
 */
export const ACCEPTANCE_VERSION = 3;
