/**
 * Packages of many small modules in plain JavaScript. Node takes longer to find those than to run them, so compiled
 * code contains them. Every other package is left for Node to load: native ones, those that read files of their own,
 * and all CommonJS.
 */
export const BUNDLED_PACKAGES = /^(drizzle-orm|zod|culori|mediabunny|fzstd)(\/|$)/;
