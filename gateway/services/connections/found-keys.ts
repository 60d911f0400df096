import type { ConnectionView } from "../../contract/connection.ts";
import type { Preset } from "../../contract/control.ts";
import type { FoundKey } from "../../contract/found-keys.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ManageConnections } from "./manage-connections.ts";
import { PRESETS } from "./presets.ts";

/** Variable → preset. Where a provider's own programs look for its key. */
const VARIABLES: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: "openai",
  ANTHROPIC_API_KEY: "anthropic",
  GEMINI_API_KEY: "gemini",
  DASHSCOPE_API_KEY: "dashscope",
  ARK_API_KEY: "ark",
  XAI_API_KEY: "xai",
  VOYAGE_API_KEY: "voyage",
  OPENROUTER_API_KEY: "openrouter",
  DEEPSEEK_API_KEY: "deepseek",
  GROQ_API_KEY: "groq",
  MISTRAL_API_KEY: "mistral",
  MOONSHOT_API_KEY: "moonshot",
  TOGETHER_API_KEY: "together",
};

/** Shorter ones are stand-ins, as `dummy` or `sk-none`. */
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
  readonly preset: Preset;
}

/**
 * Provider keys that lie in the environment under the names of the providers' own programs. They configure nothing: they
 * are offered by name, and become a connection when the owner says so. The provider's address is always its own; base
 * URLs of the environment are not looked at.
 */
export class FoundKeys {
  readonly #deps: FoundKeysDeps;

  constructor(deps: FoundKeysDeps) {
    this.#deps = deps;
  }

  /** Those whose provider is not connected yet. */
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
    const { preset, secret } = found;
    return this.#deps.connections.create({
      provider: preset.provider,
      name: preset.label,
      keys: [secret],
      // The others have a home of their own, some by the key.
      ...(preset.provider === "openai-compatible" && { base_url: preset.base_url }),
    });
  }

  #found(): readonly Found[] {
    const { env, connections, isLocalKey } = this.#deps;
    const known = connections.list();
    return Object.entries(VARIABLES).flatMap(([variable, id]) => {
      const secret = env[variable]?.trim() ?? "";
      const preset = PRESETS.find((each) => each.id === id);
      if (preset === undefined || secret.length < SHORTEST_KEY || isLocalKey(secret)) return [];
      const isConnected = known.some(
        ({ name, provider }) =>
          name.toLowerCase() === preset.label.toLowerCase() ||
          (provider === preset.provider && provider !== "openai-compatible"),
      );
      return isConnected ? [] : [{ variable, secret, preset }];
    });
  }
}
