declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  /** Gives a new instance with a memory of its own. */
  const createLibheif: (settings: { print(): void; printErr(): void }) => unknown;

  // biome-ignore lint/style/noDefaultExport: it is what the package exports
  export { createLibheif as default };
}
