import { rm } from "node:fs/promises";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { makeConnection, type Connection } from "../../../../gateway/services/connections/connection.ts";
import type { MediaOrigin } from "../../../../gateway/services/media/keep-media.ts";
import { ClockWatch } from "../../../../gateway/services/clock-watch.ts";
import { Events } from "../../../../gateway/services/events.ts";
import { MediaLibrary } from "../../../../gateway/services/media/media-library.ts";
import { nodeMediaDisk, type MediaDisk } from "../../../../gateway/store/media/media-disk.ts";
import { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import type { StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { Downloader } from "../../../../gateway/upstream/download.ts";
import { providers } from "../../../../gateway/providers/registry.ts";
import { temporaryFolder, until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";

/** What a result came from. */
export function originOf(changes: Partial<MediaOrigin> = {}): MediaOrigin {
  return {
    requestId: "req_1",
    keyId: "key_1",
    endpoint: "images",
    model: "gpt-image-1",
    provider: "openai",
    prompt: "A lighthouse at dusk.",
    parameters: { size: "1024x1024" },
    seed: 7,
    nano: 40_000_000,
    sandbox: false,
    ...changes,
  };
}

interface Retry {
  readonly ms: number;
  readonly run: () => void;
}

/** A library in a folder of its own, whose timers and room on the disk the test holds in its hands. */
export class LibraryBench {
  readonly clock = new TestClock();
  readonly dir: string;
  readonly reports: string[] = [];
  /** What waits for its time. */
  readonly retries: Retry[] = [];
  disk: MediaDisk = nodeMediaDisk;
  fs: StoreFs | null = null;
  readonly events = new Events();
  /** Types of what happened. */
  readonly happened: string[] = [];
  /** What the settings say. */
  keeping: { media_keep_days: number | null; media_max_gib: number | null } = {
    media_keep_days: null,
    media_max_gib: null,
  };
  readonly logged: string[] = [];
  library: MediaLibrary;

  private constructor(dir: string) {
    this.dir = dir;
    this.events.subscribe(({ type }) => void this.happened.push(type));
    this.library = this.#make();
  }

  static async make(): Promise<LibraryBench> {
    return new LibraryBench(await temporaryFolder());
  }

  /** Ends the process, as far as the library can tell, and starts the next one. */
  async restart(): Promise<void> {
    await this.library.close();
    this.retries.length = 0;
    this.library = this.#make();
    this.library.start();
  }

  async end(): Promise<void> {
    await this.library.close();
    await rm(this.dir, { recursive: true, force: true });
  }

  /** Lets the time of everything that waits come. */
  passTime(): number {
    const due = this.retries.splice(0);
    for (const { ms, run } of due) {
      this.clock.advance(ms);
      run();
    }
    return due.length;
  }

  /** Lets time pass, as often as something waits for it, until this is so. */
  async passTimeUntil(met: () => boolean): Promise<void> {
    while (!met()) {
      await until(() => this.retries.length > 0 || met());
      if (!met()) this.passTime();
    }
  }

  #make(): MediaLibrary {
    return new MediaLibrary({
      clock: this.clock,
      clockWatch: new ClockWatch({
        clock: this.clock,
        uptime: () => this.clock.monotonic(),
        later: () => () => undefined,
        notices: { add: (_level, message) => void this.reports.push(message) },
      }),
      log: {
        ...silentLog,
        info: (event) => void this.logged.push(event),
        warn: (event) => void this.logged.push(event),
      },
      events: this.events,
      settings: { view: () => this.keeping },
      freeBytes: () => this.disk.freeBytes(this.dir),
      notices: { add: (_level, message) => void this.reports.push(message) },
      downloader: new Downloader(() => ({ allowed: new Set(), ownPort: 1 })),
      open: () =>
        MediaStore.open({
          dir: this.dir,
          clock: this.clock,
          log: () => undefined,
          readOnly: false,
          ledger: null,
          disk: { freeBytes: (folder) => this.disk.freeBytes(folder) },
          ...(this.fs === null ? {} : { fs: this.fs }),
        }),
      later: (ms, run) => {
        const retry = { ms, run };
        this.retries.push(retry);
        return () => {
          const at = this.retries.indexOf(retry);
          if (at >= 0) this.retries.splice(at, 1);
        };
      },
    });
  }
}

/** A connection to a provider on loopback. */
export function connectionTo(origin: string): Connection {
  return makeConnection({
    id: "connection_1",
    provider: providers.dashscope,
    name: "DashScope",
    baseUrl: origin,
    priority: 0,
    enabled: true,
    from: "created",
    createdAt: 0,
    credentials: [],
  });
}
