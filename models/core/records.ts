/** Lists the names of a table whose type states all of them. */
export function getKeys<Key extends string>(table: Readonly<Partial<Record<Key, unknown>>>): Key[] {
  return Object.keys(table) as Key[];
}

/** Returns a table of the same names, in the same order. */
export function mapRecord<Key extends string, Value, Mapped>(
  table: Readonly<Record<Key, Value>>,
  map: (value: Value, key: Key) => Mapped,
): Record<Key, Mapped> {
  const entries = getKeys(table).map((key) => [key, map(table[key], key)]);
  return Object.fromEntries(entries) as Record<Key, Mapped>;
}

/** Returns a list of the same length. */
export function mapTuple<Items extends readonly unknown[], Mapped>(
  items: Items,
  map: (item: Items[number], at: number) => Mapped,
): { [At in keyof Items]: Mapped } {
  return items.map(map) as { [At in keyof Items]: Mapped };
}
