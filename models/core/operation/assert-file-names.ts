/** Excludes folders and everything that a file system or a URL interprets. */
const PLAIN_NAME = /^[^/\\\p{Cc}]{1,200}\.[a-z0-9]+$/u;

/**
 * Checks the names of a run's files, which become names in storage, URLs and downloads.
 * @throws TypeError for a name that is no plain file name with an extension, or is repeated: a bug of the operation
 */
export function assertFileNames(files: readonly { readonly name: string }[]): void {
  const names = files.map(({ name }) => name);
  const wrong = names.find((name, at) => !PLAIN_NAME.test(name) || names.indexOf(name) !== at);
  if (wrong !== undefined) throw new TypeError(`"${wrong}" cannot name a file of this run`);
}
