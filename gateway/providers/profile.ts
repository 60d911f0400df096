/**
 * Facts of a provider that Postern knows before any request: names, addresses, and where keys come from. Data only, so
 * that code that needs only this loads one file per provider (`profile.ts`).
 */
export interface ProviderProfile {
  /** Id in connections and links; the name of its folder. */
  readonly id: string;
  readonly label: string;
  /** Name in OpenTelemetry's conventions (`gen_ai.provider.name`), if it is not the id. */
  readonly telemetryName?: string;
  readonly environment: EnvironmentNames;
  /** Owners whose catalog models it serves even if its list omits them; if empty, it serves only models of its list. */
  readonly owners: readonly ModelOwner[];
  /** Owners whose models it knows, but serves only if its list includes them. */
  readonly guests?: readonly ModelOwner[];
  /** Null if every user has a different one. */
  readonly defaultBaseUrl: string | null;
  /** Returns the base URL for keys of this shape, if not `defaultBaseUrl`; null for the usual ones. */
  readonly homeOf?: (key: string) => string | null;
  /**
   * Hosts that an external link may use for it: its own, in any region. Null if it may be anywhere, so that the name
   * proves nothing.
   */
  readonly homes: RegExp | null;
  /** Presets of "Add connection"; at least one. */
  readonly presets: readonly [ProfilePreset, ...ProfilePreset[]];
}

/** Variables of the provider: `POSTERN_NAME_API_KEY`, `POSTERN_NAME_BASE_URL`, `POSTERN_NAME_ALLOW_HTTP`. */
export interface EnvironmentNames {
  /** `NAME` of these. */
  readonly name: string;
  /** Name of the connection that they make. */
  readonly connection: string;
}

/** A template for a connection, with the base URL of the provider's documentation. */
export interface ProfilePreset {
  readonly id: string;
  readonly label: string;
  /** Empty if the user has to enter it. */
  readonly baseUrl: string;
  /** Page on which its keys are made; null for servers that need no key. */
  readonly keysUrl: string | null;
  /** Variable in which the provider's own programs expect its key: offered at the first run, by name. */
  readonly keyVariable?: string;
  /** Whether some of its models support marked prompt caching; absent if all or no models of its provider do. */
  readonly caches?: true;
}

/** An owner of models, with its hosts. */
export interface ModelOwner {
  /** The owner's id in the catalog. */
  readonly id: string;
  /**
   * Hosts that sell its models at the catalog's prices, its own API first. A region that sells in another currency or at
   * other prices, a cloud or a reseller is not among them: their calls are unpriced rather than wrongly priced.
   */
  readonly hosts: readonly [string, ...string[]];
  readonly regions?: PricedRegions;
  /** The owner's names in published price lists; empty if they do not have it. */
  readonly listedAs: readonly string[];
}

/** An owner's regional hosts, with their price factor. */
export interface PricedRegions {
  readonly host: RegExp;
  readonly factor: number;
  /** Unix seconds: models that were released earlier cost the same there. */
  readonly since: number;
}

/** Whether a provider serves an owner's models of the catalog by itself. */
export function servesOwner({ owners }: Pick<ProviderProfile, "owners">, owner: string): boolean {
  return owners.some(({ id }) => id === owner);
}
