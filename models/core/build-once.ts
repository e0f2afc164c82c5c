/** Makes a function that builds a value for each object once, at its first use: one that takes longer to build than to use. */
export function buildOnce<Key extends object, Value>(build: (key: Key) => Value): (key: Key) => Value {
  const built = new WeakMap<Key, Value>();
  return (key) => {
    const known = built.get(key) ?? build(key);
    built.set(key, known);
    return known;
  };
}
