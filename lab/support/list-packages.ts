interface LockedPackage {
  readonly version?: string;
  /** Name of the package behind an alias. */
  readonly name?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Licence of packages whose package.json names none, from the text in their folder. */
const LICENCES: Readonly<Record<string, string>> = { '@shinyoshiaki/jspack': 'BSD-3-Clause' };

/**
 * Lists the packages of a lockfile that the service needs, those for other platforms included, by licence as Markdown.
 */
export function listPackages(lockfile: string): string {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, LockedPackage> };
  const byLicence = new Map<string, Set<string>>();
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '' || locked.dev || locked.devOptional) continue;
    const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = locked.license ?? LICENCES[name] ?? 'none named';
    byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(`\`${name}\` ${locked.version}`));
  }
  const sections = [...byLicence].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sections
    .map(([licence, names]) => `### ${licence}\n\n${[...names].toSorted().join(', ')}.\n`)
    .join('\n');
}
