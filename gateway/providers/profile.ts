/**
 * What Postern knows of a provider before it asks it anything: names, addresses, and where keys come from. Data only, so
 * that whoever needs no more than this reads one file of each provider's folder (`profile.ts`).
 */
export interface ProviderProfile {
  /** As connections and links name it; the name of its folder. */
  readonly id: string;
  readonly label: string;
  /** What OpenTelemetry's conventions call it (`gen_ai.provider.name`), where that is not its id. */
  readonly telemetryName?: string;
  readonly environment: EnvironmentNames;
  /** Whose catalog models it serves whether its list holds them or not; none: it serves what it lists. */
  readonly owners: readonly ModelOwner[];
  /** Whose models it knows, but serves only where its list holds them. */
  readonly guests?: readonly ModelOwner[];
  /** Null where every owner has another one. */
  readonly defaultBaseUrl: string | null;
  /** Where keys of this shape are at home, if not at `defaultBaseUrl`; null for the usual ones. */
  readonly homeOf?: (key: string) => string | null;
  /**
   * Hosts that a link from outside may name for it: its own, of every region. Null where it may be anywhere, and its name
   * promises nothing.
   */
  readonly homes: RegExp | null;
  /** Ready-made choices of "Add connection"; at least one. */
  readonly presets: readonly [ProfilePreset, ...ProfilePreset[]];
}

/** Its variables: `POSTERN_NAME_API_KEY`, `POSTERN_NAME_BASE_URL`, `POSTERN_NAME_ALLOW_HTTP`. */
export interface EnvironmentNames {
  /** `NAME` of these. */
  readonly name: string;
  /** What the connection is called that they make. */
  readonly connection: string;
}

/** One way to begin a connection, with the base URL that the provider's documentation gives. */
export interface ProfilePreset {
  readonly id: string;
  readonly label: string;
  /** Empty where the user has to say it. */
  readonly baseUrl: string;
  /** Where its keys are made; null for servers that need none. */
  readonly keysUrl: string | null;
  /** Where the provider's own programs look for its key: offered at the first run, by name. */
  readonly keyVariable?: string;
  /** It has a cache that prompts are marked for, for some of its models; absent where all of its provider's have, or none. */
  readonly caches?: true;
}

/** Whose models they are, and what they are sold as. */
export interface ModelOwner {
  /** As the catalog names it. */
  readonly id: string;
  /**
   * Hosts that sell its models at the catalog's prices, its own API first. A region that sells in another currency or at
   * other prices, a cloud or a reseller is not among them: their calls are unpriced rather than wrongly priced.
   */
  readonly hosts: readonly [string, ...string[]];
  readonly regions?: PricedRegions;
  /** What published price lists call it; none where they do not have it. */
  readonly listedAs: readonly string[];
}

/** An owner's own hosts where what is processed stays in a region, for more. */
export interface PricedRegions {
  readonly host: RegExp;
  readonly factor: number;
  /** Unix seconds: models that were released earlier cost the same there. */
  readonly since: number;
}

/** Whether a provider serves an owner's models of the catalog by itself. */
export function ownsModelsOf({ owners }: Pick<ProviderProfile, "owners">, owner: string): boolean {
  return owners.some(({ id }) => id === owner);
}
