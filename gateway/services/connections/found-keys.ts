import type { ConnectionView } from "../../contract/connection.ts";
import type { FoundKey } from "../../contract/found-keys.ts";
import { cleanSecret, isPlainSecret } from "../../contract/secret.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ProfilePreset } from "../../providers/profile.ts";
import { providers } from "../../providers/registry.ts";
import type { Provider } from "../../providers/provider.ts";
import type { ManageConnections } from "./manage-connections.ts";

/** Min characters of a key; shorter values name no key, such as `sk-none`. */
const SHORTEST_KEY = 16;

export interface FoundKeysDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly connections: Pick<ManageConnections, "list" | "create">;
  /** Whether it is a key of this Postern: people set those variables to point clients here. */
  isLocalKey(secret: string): boolean;
}

interface Found {
  readonly variable: string;
  readonly secret: string;
  readonly provider: Provider;
  readonly preset: ProfilePreset;
}

/**
 * Provider keys in the environment under the names that the providers' own programs use. They configure nothing: they
 * are offered by name, and become a connection when the user accepts. The provider's own address is always used; base
 * URLs of the environment are ignored.
 */
export class FoundKeys {
  readonly #deps: FoundKeysDeps;

  constructor(deps: FoundKeysDeps) {
    this.#deps = deps;
  }

  /** Lists the detected keys whose provider is not connected yet. */
  list(): readonly FoundKey[] {
    return this.#found().map(({ variable, preset }) => ({ variable, label: preset.label }));
  }

  /** @throws GatewayError `not_found` for a variable that is not on the list */
  connect(variable: string): Promise<ConnectionView> {
    const found = this.#found().find((each) => each.variable === variable);
    if (found === undefined)
      throw new GatewayError(
        "not_found",
        `No provider key of ${variable} can be used: it is not set, is a key of Postern, or its provider is connected already.`,
        { param: "variable" },
      );
    const { provider, preset, secret } = found;
    return this.#deps.connections.create({
      provider: provider.id,
      name: preset.label,
      keys: [secret],
      // The others have their own base URLs, some by key.
      ...(provider.defaultBaseUrl === null && { base_url: preset.baseUrl }),
    });
  }

  #found(): readonly Found[] {
    const { env, connections, isLocalKey } = this.#deps;
    const known = connections.list();
    return allPresets().flatMap(({ provider, preset }) => {
      const { keyVariable: variable, label } = preset;
      const secret = variable === undefined ? "" : cleanSecret(env[variable] ?? "");
      if (variable === undefined || secret.length < SHORTEST_KEY || !isPlainSecret(secret) || isLocalKey(secret))
        return [];
      const isConnected = known.some(
        (connection) =>
          connection.name.toLowerCase() === label.toLowerCase() ||
          (connection.provider === provider.id && provider.defaultBaseUrl !== null),
      );
      return isConnected ? [] : [{ variable, secret, provider, preset }];
    });
  }
}

function allPresets(): readonly Pick<Found, "provider" | "preset">[] {
  return Object.values(providers).flatMap((provider) => provider.presets.map((preset) => ({ provider, preset })));
}
