declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  /** Creates a new instance with its own memory. */
  const createLibheif: (settings: { print(): void; printErr(): void }) => unknown;

  // biome-ignore lint/style/noDefaultExport: it is what the package exports
  export { createLibheif as default };
}
