import { createHash } from "node:crypto";
import { findListHost } from "../../catalog/list-providers.ts";
import type { PriceChange, PriceChanges, PriceListOrigin, PriceListView } from "../../contract/price-list.ts";
import { GatewayError } from "../../core/errors.ts";
import { readPriceList } from "../../core/price-lists/read-price-list.ts";
import { utcDay, type Clock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { getMessage } from "../../lib/message-of.ts";
import { Mutex } from "../../lib/mutex.ts";
import {
  findModels,
  type StoredPriceList,
  type PriceListFiles,
  type PriceListKind,
} from "../../store/price-list-files.ts";
import type { DownloadAttempt, Downloader } from "../../upstream/download.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { Scheduler } from "../scheduler.ts";
import type { Connections } from "../connections/connections.ts";
import type { Notices } from "../notices.ts";
import type { AppSettings } from "../settings.ts";
import { priceListChanges } from "./price-list-changes.ts";
import { findPrices, type PriceList } from "./price-list.ts";

/** Not in the middle of a start. */
const FIRST_MS = 2 * 60_000;
const EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** The largest of the two lists has a tenth of it. */
const LIMITS = {
  types: ["application/json", "text/plain"],
  maxBytes: 16 * 1024 * 1024,
  totalMs: 45_000,
  idleMs: 15_000,
};
const SHOWN = 500;

export interface PriceListsDeps {
  readonly files: PriceListFiles;
  readonly settings: AppSettings;
  readonly connections: Connections;
  readonly downloader: Downloader;
  readonly clock: Clock;
  readonly later: Later;
  readonly log: Log;
  readonly notices: Notices;
  /** Prices are others from now on. */
  readonly onAccepted: () => void;
  /** Called when another list is offered. */
  readonly onOffered: () => void;
}

/**
 * The price list that the user fetched from a configured URL. A fetched list is only offered: it changes nothing until
 * the user accepts it. Only the accepted list is kept in memory.
 */
export class PriceLists {
  readonly #deps: PriceListsDeps;
  readonly #scheduler: Scheduler<"daily">;
  #accepted: { readonly list: StoredPriceList; readonly prices: PriceList } | null = null;
  #problem: PriceListView["problem"] = null;
  #attempt: DownloadAttempt | null = null;
  /** Serializes changes of the lists. */
  readonly #mutex = new Mutex();

  constructor(deps: PriceListsDeps) {
    this.#deps = deps;
    const { clock, later } = deps;
    this.#scheduler = new Scheduler({ clock, later, onDue: () => void this.#daily() });
  }

  /** Prices that take precedence over the catalog; null: none. */
  get accepted(): PriceList | null {
    return this.#accepted?.prices ?? null;
  }

  /** Loads the lists before the first request. An unreadable list is skipped and logged: the catalog applies then. */
  async open(): Promise<void> {
    try {
      const list = await this.#read("accepted");
      if (list !== null) this.#hold(list);
    } catch (error) {
      this.#deps.notices.add("warning", `The accepted price list cannot be read: ${getMessage(error)}`);
    }
  }

  start(): void {
    this.#scheduler.set("daily", this.#deps.clock.now() + FIRST_MS);
  }

  /** After the machine slept. */
  check(): void {
    this.#scheduler.check();
  }

  /** Resolves when no fetch or write is running. */
  async stop(): Promise<void> {
    this.#scheduler.stop();
    this.#attempt?.abort();
    await this.#mutex.waitUntilSettled();
  }

  async view(): Promise<PriceListView> {
    const offered = await this.#read("offered");
    const changes = offered === null ? [] : this.#changes(offered);
    const sum = (test: (change: PriceChange) => boolean): number => changes.filter(test).length;
    return {
      accepted: this.#accepted === null ? null : getOrigin(this.#accepted.list),
      offered: offered && {
        ...getOrigin(offered),
        changes: {
          changed: sum(({ kind }) => kind === "changed"),
          added: sum(({ kind }) => kind === "added"),
          removed: sum(({ kind }) => kind === "removed"),
          unusual: sum(({ unusual }) => unusual),
          connected: sum(({ connected }) => connected),
        },
      },
      problem: this.#problem,
    };
  }

  /** Returns the changes of the offered list. @param all also at hosts that no connection leads to */
  async changes({ all, limit = SHOWN }: { all: boolean; limit?: number | undefined }): Promise<PriceChanges> {
    const offered = await this.#read("offered");
    if (offered === null) return { id: null, data: [], total: 0 };
    const changes = this.#changes(offered).filter(({ connected }) => all || connected);
    return { id: offered.id, data: changes.slice(0, limit), total: changes.length };
  }

  /**
   * Fetches the list and offers it. A list equal to the accepted one only updates its fetch time.
   * @throws GatewayError conflict if no URL is set, upstream_error; StoreWriteError
   */
  async refresh(): Promise<PriceListView> {
    await this.#mutex.run(() => this.#fetch());
    return this.view();
  }

  /**
   * Accepts the offered list: calls are billed by it from now on.
   * @param id of the list whose changes were reviewed
   * @throws GatewayError conflict if it is not offered, or has unusual changes that were not agreed to; StoreWriteError
   */
  async acceptList(id: string, unusual: boolean): Promise<PriceListView> {
    await this.#mutex.run(async () => {
      const offered = await this.#read("offered");
      if (offered?.id !== id)
        throw new GatewayError("conflict", "This price list is not offered any more. Look at what is offered now.");
      const count = this.#changes(offered).filter((change) => change.unusual).length;
      if (count > 0 && !unusual)
        throw new GatewayError(
          "conflict",
          `${count} prices of this list are more than ten times, or less than a tenth, of what holds now. Look at them, and accept them by name ("unusual") where they are right.`,
        );
      await this.#deps.files.acceptOffer();
      this.#hold(offered);
      this.#deps.log.info("prices.accepted", { url: offered.url, models: offered.models });
      this.#deps.onAccepted();
    });
    return this.view();
  }

  /** Drops the accepted list, so that the catalog applies, or the offered one. @throws StoreWriteError */
  async drop(kind: PriceListKind): Promise<PriceListView> {
    await this.#mutex.run(async () => {
      await this.#deps.files.remove(kind);
      if (kind === "offered") return this.#deps.onOffered();
      this.#accepted = null;
      this.#deps.onAccepted();
    });
    return this.view();
  }

  #hold(list: StoredPriceList): void {
    this.#accepted = { list, prices: findPrices(list) };
  }

  async #read(kind: PriceListKind): Promise<StoredPriceList | null> {
    const { files, notices } = this.#deps;
    const { list, problem } = await files.read(kind);
    if (problem !== null) notices.add("warning", problem);
    return list;
  }

  #changes(offered: StoredPriceList): PriceChange[] {
    const { connections, clock } = this.#deps;
    const hosts = new Set(
      connections.real().flatMap(({ baseUrl, provider }) => [
        new URL(baseUrl).hostname,
        // A relay on a private network also resells at the owner's prices.
        ...provider.owners.map(({ hosts: [home] }) => home),
      ]),
    );
    return priceListChanges(this.#accepted?.list ?? null, offered, hosts, utcDay(clock.now()));
  }

  async #fetch(): Promise<StoredPriceList> {
    const { settings, files, clock, log } = this.#deps;
    const url = settings.get("price_list_url");
    if (url === null)
      throw new GatewayError("conflict", "No price list is set. Set the URL of one first: Settings, Prices.");
    try {
      const list = await this.#download(url);
      this.#problem = null;
      if (list.id === this.#accepted?.list.id) {
        await files.write("accepted", list);
        await files.remove("offered");
        this.#hold(list);
        this.#deps.onAccepted();
      } else {
        await files.write("offered", list);
        this.#deps.onOffered();
      }
      log.info("prices.fetched", { origin: new URL(url).origin, models: list.models });
      return list;
    } catch (error) {
      this.#problem = { at: clock.now(), message: getMessage(error) };
      throw error;
    }
  }

  async #download(url: string): Promise<StoredPriceList> {
    const { downloader, clock } = this.#deps;
    const attempt = downloader.open(url, "", LIMITS);
    this.#attempt = attempt;
    let body: Buffer;
    try {
      body = await (await attempt.response).collect();
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      // The HTTP client's messages refer to results of calls, so they are adapted.
      const words = error.message.replace(/^the result/, "The price list");
      const sentence = words === error.message ? `The price list was not fetched: ${words}.` : `${words}.`;
      throw new GatewayError("upstream_error", sentence, { cause: error });
    } finally {
      this.#attempt = null;
    }
    const read = readPriceList(parseJson(body), findListHost);
    const models = read === null ? 0 : findModels(read.hosts);
    if (read === null || models === 0)
      throw new GatewayError(
        "upstream_error",
        "What is at this URL is no price list that can be read: it is neither of LiteLLM's nor of models.dev's shape, or has no price that Postern can use.",
      );
    const content = JSON.stringify([...read.hosts].map(([host, prices]) => [host, [...prices]]));
    const id = createHash("sha256").update(content).digest("hex").slice(0, 16);
    return { id, url, ...read, models, fetched_at: clock.now() };
  }

  async #daily(): Promise<void> {
    const { clock, settings, log } = this.#deps;
    this.#scheduler.set("daily", clock.now() + EVERY_MS);
    try {
      await this.#mutex.run(async () => {
        const url = settings.get("price_list_url");
        const isDaily = settings.get("price_list_daily");
        if (url === null || !isDaily) return;
        const offered = await this.#read("offered");
        const newest = [offered, this.#accepted?.list].filter((list) => list?.url === url);
        // A clock that was set back must not have it fetched each hour.
        if (newest.some((list) => Math.abs(clock.now() - (list?.fetched_at ?? 0)) < DAY_MS)) return;
        const list = await this.#fetch();
        if (list.id !== offered?.id && list.id !== this.#accepted?.list.id) this.#tell(list);
      });
    } catch (error) {
      log.warn("prices.failed", { message: getMessage(error) });
    }
  }

  /** Only what concerns the owner's connections is news. */
  #tell(offered: StoredPriceList): void {
    const count = this.#changes(offered).filter(({ connected }) => connected).length;
    if (count === 0) return;
    const prices = count === 1 ? "1 price" : `${count} prices`;
    this.#deps.notices.add(
      "info",
      `A newer price list would change ${prices} at your connections. Look at it on the Settings page, under Prices.`,
    );
  }
}

const getOrigin = ({ id, url, shape, fetched_at, models }: StoredPriceList): PriceListOrigin => ({
  id,
  url,
  shape,
  fetched_at,
  models,
});
