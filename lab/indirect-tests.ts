interface Rule {
  /** Changed files, by path. */
  readonly changed: RegExp;
  /** Tests that reach them without an import. */
  readonly tests: RegExp;
}

/** Tests reach these files by starting a process, bundling a page, opening the built pages, or reading them. */
const RULES: readonly Rule[] = [
  { changed: /^(workers|models|scripts\/support\/page)\//, tests: /^tests\/workers\// },
  { changed: /^(app|workers|public)\/|^(proxy|next\.config)\.ts$/, tests: /^tests\/studio\// },
  {
    changed: /^scripts\/support\/(chromium|serve-pages|pages-process)\.ts$|^tests\/.*-setup\.ts$/,
    tests: /^tests\/(studio|workers)\//,
  },
  {
    changed: /^server\/([^/]+\.(ts|mjs)$|(process|base|build|children|runner|embedded|runtime)\/)/,
    tests: /^tests\/(system\/start|chaos\/)/,
  },
  { changed: /^server\/runner\/|^models\/registry\.ts$/, tests: /^tests\/(server\/runner|http\/remove-bg)/ },
  { changed: /^server\/embedded\//, tests: /^tests\/server\/embedded\// },
  { changed: /^drizzle\//, tests: /^tests\/(drizzle|server|http)\// },
  { changed: /^training\//, tests: /^tests\/training\// },
  { changed: /^models\/weights\//, tests: /^tests\/(models\/weights|operations)\// },
  { changed: /^scripts\/(account|models)\.ts$/, tests: /^tests\/scripts\// },
  { changed: /^\.dependency-cruiser\.cjs$/, tests: /^tests\/checks\// },
  { changed: /^tests\/fixtures\//, tests: /^tests\/(models|operations|workers|server\/runtime)\// },
  { changed: /^tests\/support\/.*-(process|setup)\.ts$/, tests: /^tests\/(server|operations|workers)\// },
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
