import { allModels, findModel } from "../../catalog/lookup.ts";
import type { Known } from "../../core/imports/known.ts";
import { servesOwner } from "../../providers/profile.ts";
import { isProviderId, providers } from "../../providers/registry.ts";

/**
 * Returns the providers and models known to importers. @param origin Postern's own origin, e.g. `http://127.0.0.1:6174`
 */
export function knownProviders(origin: string): Known {
  return {
    providers: Object.values(providers),
    ownModel: (provider, name) => {
      const spec = findModel(name);
      if (spec === undefined || !isProviderId(provider) || !servesOwner(providers[provider], spec.owner)) return null;
      // A dated snapshot is a different model to a person who names it.
      return [spec.id, spec.upstreamId, ...spec.aliases].includes(name) ? spec.id : null;
    },
    ownModels: (provider) =>
      allModels().flatMap(({ id, owner, retired }) =>
        isProviderId(provider) && servesOwner(providers[provider], owner) && retired === undefined ? [id] : [],
      ),
    // Mythos is for selected customers only, and Claude Code has no model class for it.
    claudeModels: allModels().flatMap(({ id, owner, retired }) =>
      owner === "anthropic" && retired === undefined && !id.startsWith("claude-mythos-") ? [id] : [],
    ),
    origin,
  };
}
