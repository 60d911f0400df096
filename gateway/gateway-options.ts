import type { Clock } from "./lib/clock.ts";
import type { Later } from "./lib/later.ts";
import type { Log } from "./lib/log.ts";
import type { McpExtension } from "./mcp/make-server.ts";
import type { LocalServer } from "./services/connections/local-servers.ts";
import type { ClientFs } from "./store/clients/client-fs.ts";
import type { MediaDisk } from "./store/media/media-disk.ts";
import type { KeySealer } from "./store/store.ts";

/** The options of a gateway. */
export interface GatewayOptions {
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** Null: by the settings. */
  readonly host: string | null;
  /** 0 uses a free port; null: by the settings. */
  readonly port: number | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sealer: KeySealer;
  /** Folder of the built pages; null serves none. */
  readonly assetsDir: string | null;
  /** Resolves when the pages in that folder are readable; by default immediately. */
  readonly pagesBuilt?: () => Promise<void>;
  readonly version: string;
  readonly clock: Clock;
  /** Milliseconds since the machine was started, its sleep among them; the machine's own unless given. */
  readonly uptime?: () => number;
  /** Timers of tasks, webhooks and the library; by default the machine's. */
  readonly later?: Later;
  /** Timer for waits before retries; by default `later`. */
  readonly backoff?: Later;
  /**
   * Milliseconds after the start until background checks (model lists, local programs, the library); by default a short
   * delay.
   */
  readonly lookAfterMs?: number;
  /** Milliseconds that a stop lets running calls continue; by default five seconds. */
  readonly drainMs?: number;
  /** Disk for results; by default the machine's. */
  readonly disk?: MediaDisk;
  /** Access to files of other programs; by default the machine's disk. */
  readonly clientFs?: ClientFs;
  /** Local model servers to detect, and their ports; by default the usual ones. */
  readonly localServers?: readonly LocalServer[];
  /** Electron's resolver: returns the proxy of a URL, as `PROXY proxy:8080; DIRECT`. */
  readonly resolveSystemProxy?: (url: string) => Promise<string>;
  readonly log: Log;
  /** Stops this gateway and starts another, which is to take `pageToken`. Absent where that is not the gateway's to do. */
  readonly restart?: (pageToken: string) => void;
  /** Brings the window to the front, on the page of a link if given; absent without a window. */
  readonly showWindow?: (link: string | null) => void;
  /** Opens the pages once: from the gateway before this one. */
  readonly pageToken?: string;
  /** Extra content for the MCP server; only set by test programs. */
  readonly extendMcp?: McpExtension;
}
