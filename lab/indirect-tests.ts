interface Rule {
  /** Changed files, by path. */
  readonly changed: RegExp;
  /** Tests that reach them without an import. */
  readonly tests: RegExp;
}

/** Tests reach these files by starting a process, bundling a page, opening the built pages, or reading them. */
const RULES: readonly Rule[] = [
  { changed: /^(workers|models|lab\/support\/page)\//, tests: /^tests\/workers\// },
  { changed: /^(app|workers|public)\/|^(proxy|next\.config)\.ts$/, tests: /^tests\/studio\// },
  {
    changed: /^lab\/support\/(chromium|serve-pages|pages-process)\.ts$|^tests\/.*-setup\.ts$/,
    tests: /^tests\/(studio|workers)\//,
  },
  {
    changed: /^server\/(start\.mjs$|(base|runtime|ops|jobs\/(runner|runs))\/)/,
    tests: /^tests\/(system\/start|chaos\/)/,
  },
  {
    changed: /^server\/jobs\/(runner|runs)\/|^models\/registry\.ts$/,
    tests: /^tests\/(server\/jobs\/runner|api\/remove-bg)/,
  },
  { changed: /^server\/ops\/embedded\//, tests: /^tests\/server\/ops\/embedded\// },
  { changed: /^drizzle\//, tests: /^tests\/(drizzle|server|api)\// },
  { changed: /^lab\/training\//, tests: /^tests\/lab\/training\// },
  { changed: /^models\/weights\//, tests: /^tests\/(models|operations)\// },
  { changed: /^scripts\/(account|models)\.ts$/, tests: /^tests\/scripts\// },
  { changed: /^\.dependency-cruiser\.cjs$/, tests: /^tests\/checks\// },
  { changed: /^tests\/fixtures\//, tests: /^tests\/(models|operations|workers|server\/runtime)\// },
  {
    changed: /^tests\/support\/.*-(process|setup)\.ts$/,
    tests: /^tests\/(server|models|operations|workers)\//,
  },
];

/**
 * Returns the tests that a change may break although they import none of the changed files.
 * @param changed paths from the root, as git writes them
 * @param tests all test files, likewise
 */
export function findIndirectTests(changed: readonly string[], tests: readonly string[]): string[] {
  const rules = RULES.filter((rule) => changed.some((path) => rule.changed.test(path)));
  return tests.filter((test) => rules.some((rule) => rule.tests.test(test)));
}
