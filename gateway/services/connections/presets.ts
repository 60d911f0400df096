import type { Preset } from "../../contract/control.ts";
import { providers } from "../../providers/registry.ts";

/** Providers for "Add connection". */
export const PRESETS: readonly Preset[] = Object.values(providers).flatMap(({ id: provider, presets, messages }) =>
  presets.map(({ id, label, baseUrl, keysUrl, caches = false }) => ({
    id,
    label,
    provider,
    base_url: baseUrl,
    needs_key: keysUrl !== null,
    keys_url: keysUrl,
    caches: caches || messages?.cachesFrom !== undefined,
  })),
);
