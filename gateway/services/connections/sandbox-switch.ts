import type { Connections } from "./connections.ts";
import type { AppSettings } from "../settings.ts";

/** Whether the sandbox serves: always, never, or automatically while no real provider is connected. */
export class SandboxSwitch {
  readonly #connections: Connections;
  readonly #settings: AppSettings;

  constructor(connections: Connections, settings: AppSettings) {
    this.#connections = connections;
    this.#settings = settings;
  }

  get active(): boolean {
    const mode = this.#settings.get("sandbox");
    return mode === "on" || (mode === "auto" && this.#connections.real().length === 0);
  }
}
