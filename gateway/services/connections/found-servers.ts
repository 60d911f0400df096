import type { StoredServer } from "../../store/document.ts";
import type { MachineUser } from "../../store/disk/port-holder.ts";

/** A program of this machine that serves models and runs now. */
export interface FoundServer {
  /** Also the id of its connection, if connected. */
  readonly id: string;
  readonly kind: string;
  /** Display name, such as `Ollama`. */
  readonly name: string;
  readonly port: number;
  /** The user who runs the program; null if the system does not report it. */
  readonly user: MachineUser | null;
}

/** Servers detected in the last check. Detection decides nothing. */
export class FoundServers {
  readonly #found = new Map<string, FoundServer>();
  readonly #listeners = new Set<() => void>();

  all(): readonly FoundServer[] {
    return [...this.#found.values()];
  }

  get(id: string): FoundServer | undefined {
    return this.#found.get(id);
  }

  /** The program of these that runs now: the same kind at the same port, of the same user as far as that is known. */
  find(server: StoredServer): FoundServer | undefined {
    const found = this.get(getServerId(server));
    if (found === undefined || server.uid === null || found.user === null) return found;
    return found.user.uid === server.uid ? found : undefined;
  }

  /** @param found null: nothing is there now. */
  set(id: string, found: FoundServer | null): void {
    const before = this.#found.get(id);
    if (found === null ? before === undefined : before !== undefined && before.user?.uid === found.user?.uid) return;
    if (found === null) this.#found.delete(id);
    else this.#found.set(id, found);
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }
}

export const ID_PREFIX = "local_";

export function getServerId({ kind, port }: Pick<StoredServer, "kind" | "port">): string {
  return `${ID_PREFIX}${kind}_${port}`;
}
