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
  /** Null: as the settings say. */
  readonly host: string | null;
  /** 0 takes a free one; null: as the settings say. */
  readonly port: number | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sealer: KeySealer;
  /** Folder of the built pages; null serves none. */
  readonly assetsDir: string | null;
  /** Resolves when the pages in that folder are there to be read; at once unless given. */
  readonly pagesBuilt?: () => Promise<void>;
  readonly version: string;
  readonly clock: Clock;
  /** Milliseconds since the machine was started, its sleep among them; the machine's own unless given. */
  readonly uptime?: () => number;
  /** How tasks, webhooks and the library wait; by the machine's timers unless given. */
  readonly later?: Later;
  /** How a call waits before it is tried again; as `later` unless given. */
  readonly backoff?: Later;
  /** Milliseconds after the start until Postern looks around (lists of models, programs, the library); a moment unless given. */
  readonly lookAfterMs?: number;
  /** Milliseconds that a stop lets running calls go on; five seconds unless given. */
  readonly drainMs?: number;
  /** Disk for results; the machine's own unless given. */
  readonly disk?: MediaDisk;
  /** How files of other programs are written; the machine's own disk unless given. */
  readonly clientFs?: ClientFs;
  /** Which programs that serve models are looked for on this machine, and where; at their usual ports unless given. */
  readonly localServers?: readonly LocalServer[];
  /** Electron's resolver: returns the proxy of a URL, as `PROXY proxy:8080; DIRECT`. */
  readonly resolveSystemProxy?: (url: string) => Promise<string>;
  readonly log: Log;
  /** Stops this gateway and starts another, which is to take `pageToken`. Absent where that is not the gateway's to do. */
  readonly restart?: (pageToken: string) => void;
  /** Brings the window to the front, on the page of a link where there is one; absent where there is no window. */
  readonly showWindow?: (link: string | null) => void;
  /** Opens the pages once: from the gateway before this one. */
  readonly pageToken?: string;
  /** More for the tool server to serve; set by test programs only. */
  readonly extendMcp?: McpExtension;
}
