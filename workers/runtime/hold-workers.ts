/** Global scope of a worker, as far as it starts others. */
interface Scope {
  Worker?: new (url: string | URL, options?: object) => { terminate(): void };
}

/**
 * Keeps each worker that is started in a scope until it is terminated. Firefox collects one that only its own handlers
 * refer to: a library that waits for its threads to start would then wait for ever.
 */
export function holdWorkers(scope: Scope): void {
  const { Worker: Started } = scope;
  if (!Started) return;
  const held = new Set<object>();
  scope.Worker = class extends Started {
    constructor(url: string | URL, options?: object) {
      super(url, options);
      held.add(this);
    }

    override terminate(): void {
      held.delete(this);
      super.terminate();
    }
  };
}

holdWorkers(globalThis as Scope);
