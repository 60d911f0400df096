/**
 * Why the gateway could not start, as a sentence for the user. `running`: the data folder is already open; `url` is its
 * address (null while that instance is still starting). `port`: the address cannot be listened on. `store`: the data
 * folder is unusable. `config`: the configuration file cannot be applied.
 */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly kind: "running" | "port" | "store";
  readonly url: string | null;
  /** Details of `port`: the program that uses it, and a port that was free a moment ago; null if neither is known. */
  readonly portConflict: { readonly by: string | null; readonly port: number; readonly freePort: number } | null;

  constructor(
    kind: StartError["kind"],
    message: string,
    url: string | null = null,
    cause?: unknown,
    portConflict: StartError["portConflict"] = null,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.url = url;
    this.portConflict = portConflict;
  }
}
