import type { Connection } from "./connection.ts";

/** All connections, in candidate order. */
export class Connections {
  #all: readonly Connection[];
  readonly #listeners = new Set<() => void>();

  constructor(all: readonly Connection[] = []) {
    this.#all = all.toSorted(byOrder);
  }

  all(): readonly Connection[] {
    return this.#all;
  }

  get(id: string): Connection | undefined {
    return this.#all.find((connection) => connection.id === id);
  }

  /** Usable real providers, which determine whether the sandbox is enabled automatically. */
  real(): readonly Connection[] {
    return this.#all.filter((connection) => connection.enabled && connection.from !== "sandbox");
  }

  /** Adds a connection, or replaces the one with its id. Discovered models and health are kept. */
  put(connection: Connection): void {
    const before = this.get(connection.id);
    if (before !== undefined && before.baseUrl === connection.baseUrl) {
      connection.discovered ??= before.discovered;
      connection.checkedAt ??= before.checkedAt;
      for (const credential of connection.credentials) {
        const same = before.credentials.find(
          (known) => known.secret === credential.secret && known.hint === credential.hint,
        );
        if (same === undefined) continue;
        credential.health = same.health;
        credential.credit = same.credit;
      }
    }
    const others = this.#all.filter((known) => known.id !== connection.id);
    this.#all = [...others, connection].toSorted(byOrder);
    this.notifyChange();
  }

  remove(id: string): void {
    this.#all = this.#all.filter((connection) => connection.id !== id);
    this.notifyChange();
  }

  /** Notifies that a connection, its models or its health has changed. */
  notifyChange(): void {
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }
}

/** The owner's own before those from the environment, those before found local servers, the sandbox last. */
const ORDER = { created: 0, environment: 1, local: 2, sandbox: 3 } as const;

function byOrder(a: Connection, b: Connection): number {
  return (
    Number(a.from === "sandbox") - Number(b.from === "sandbox") ||
    a.priority - b.priority ||
    ORDER[a.from] - ORDER[b.from] ||
    a.createdAt - b.createdAt ||
    (a.id < b.id ? -1 : 1)
  );
}
