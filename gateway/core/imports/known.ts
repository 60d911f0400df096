/**
 * A provider and its models, passed to importers as an argument, because this folder may import neither. Providers of
 * gateway/providers have this shape.
 */
export interface KnownProvider {
  /** Id in connections. */
  readonly id: string;
  readonly label: string;
  /** Null if it may be anywhere. */
  readonly defaultBaseUrl: string | null;
  /** Hosts of the provider in all regions; null if it may be anywhere. */
  readonly homes: RegExp | null;
  /** Owners of its models, with their names in published lists. */
  readonly owners: readonly KnownOwner[];
  readonly guests?: readonly KnownOwner[];
  readonly presets: readonly KnownPreset[];
  /** Null if it does not support the dialect. */
  readonly chat: object | null;
  readonly messages: object | null;
  readonly responses: object | null;
  normalizeBaseUrl(url: URL): string;
}

interface KnownOwner {
  readonly id: string;
  readonly hosts: readonly string[];
  readonly listedAs: readonly string[];
}

interface KnownPreset {
  readonly id: string;
  readonly label: string;
  /** Empty if the user has to enter it. */
  readonly baseUrl: string;
  /** Environment variable in which its own programs look for the key. */
  readonly keyVariable?: string;
}

export interface Known {
  /** Providers in the order in which they are offered. */
  readonly providers: readonly KnownProvider[];
  /** Returns the public id of a provider's own model by any of its names; null if there is no such model. */
  ownModel(provider: string, name: string): string | null;
  /** The public ids of the models that a provider has by itself. */
  ownModels(provider: string): readonly string[];
  /** Ids by which Claude Code may ask for a model, the newest of each class first. */
  readonly claudeModels: readonly string[];
  /** Postern's own origin, as `http://127.0.0.1:6174`. */
  readonly origin: string;
}
