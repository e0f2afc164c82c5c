#!/usr/bin/env bash
# Prints the figures of the house: sizes of the product, tests, styles and docs. Generated files are left out.
# `lab/notebook/house.md` keeps them. `npm run --silent figures` runs this.
set -euo pipefail
cd "$(dirname "$0")/.."

generated='openapi\.ts$|/generated/|_operations\.py$|_types\.py$|bundled-weights\.ts$|weight-origins\.ts$|operation-commands\.ts$'
sources=$(git ls-files app models workers server clients | grep -E '\.tsx?$' | grep -vE "$generated|clients/examples/")

of_sources() { printf '%s\n' "$sources" | xargs -d '\n' "$@"; }

printf 'production files   %s\n' "$(printf '%s\n' "$sources" | wc -l)"
printf 'production lines   %s (not blank)\n' "$(of_sources cat | grep -cv '^[[:space:]]*$')"
printf 'production folders %s\n' "$(of_sources -n1 dirname | sort -u | wc -l)"
# Assertions of types, without `as const` and aliases of imports.
printf 'casts              %s\n' \
  "$(of_sources grep -ohE '[^a-zA-Z*]as (unknown|number|string|[A-Z][A-Za-z<>\[\]]*)' | wc -l)"
printf 'test lines         %s\n' "$(git ls-files tests | grep -E '\.tsx?$' | xargs -d '\n' cat | wc -l)"
printf 'style lines        %s\n' "$(git ls-files app | grep -E '\.css$' | xargs -d '\n' cat | wc -l)"
printf 'docs words         %s (docs/*.md)\n' "$(cat docs/*.md | wc -w)"

# Files that one other file of the product imports.
printf '%s\n' "$sources" | node -e '
const { readFileSync } = require("node:fs");
const { dirname, join } = require("node:path").posix;
const files = readFileSync(0, "utf8").trim().split("\n");
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const importers = new Map(files.map((file) => [file, new Set()]));
for (const [file, text] of texts) {
  for (const [, path] of text.matchAll(/(?:from|import\()\s*[\x27"](\.[^\x27"]+)[\x27"]/g)) {
    importers.get(join(dirname(file), path))?.add(file);
  }
}
const single = files.filter((file) => importers.get(file).size === 1);
const small = single.filter((file) => texts.get(file).split("\n").length <= 40);
console.log(`one importer       ${single.length} files, ${small.length} of them of at most 40 lines`);'
