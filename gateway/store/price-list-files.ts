import { join } from "node:path";
import * as z from "zod";
import { priceListShapeSchema, type PriceListOrigin } from "../contract/price-list.ts";
import { unitClassSchema } from "../contract/receipt.ts";
import type { HostPrices } from "../core/price-lists/collected-prices.ts";
import type { Clock } from "../lib/clock.ts";
import { getMessage } from "../lib/message-of.ts";
import { replaceFile } from "./disk/atomic-file.ts";
import { frame, unframe } from "./disk/line.ts";
import { nodeStoreFs } from "./disk/store-fs.ts";
import type { StoreFs } from "./disk/store-fs.ts";
import { Quarantine } from "./quarantine.ts";
import type { StoreLog } from "./store-event.ts";
import { StoreWriteError } from "./store.ts";

/** A stored price list. */
export interface StoredPriceList extends PriceListOrigin {
  readonly hosts: HostPrices;
}

export type PriceListKind = "accepted" | "offered";

const count = z.number().int().nonnegative();
const tiers = z.array(z.object({ above: count, rates: z.partialRecord(unitClassSchema, count) })).min(1);
const listSchema = z.object({
  id: z.string(),
  url: z.string(),
  shape: priceListShapeSchema,
  fetched_at: count,
  hosts: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), tiers]))])),
});

const getFile = (kind: PriceListKind): string => `price-list.${kind}.ndjson`;

/** How many prices a list has. */
export const findModels = (hosts: HostPrices): number =>
  [...hosts.values()].reduce((sum, models) => sum + models.size, 0);

export interface PriceListFilesOptions {
  /** The data folder. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** A newer version wrote the folder: nothing in it may be changed. */
  readonly readOnly: boolean;
  readonly fs?: StoreFs;
}

/** The price lists of the data folder, one checksummed line each. They can be fetched again, and are in no backup. */
export class PriceListFiles {
  readonly #options: PriceListFilesOptions;
  readonly #fs: StoreFs;

  constructor(options: PriceListFilesOptions) {
    this.#options = options;
    this.#fs = options.fs ?? nodeStoreFs;
  }

  /**
   * @returns the list, null without one, and the problem if it cannot be used: then it was set aside.
   * @throws the disk's error
   */
  async read(kind: PriceListKind): Promise<{ readonly list: StoredPriceList | null; readonly problem: string | null }> {
    const { dir, clock, log, readOnly } = this.#options;
    const path = join(dir, getFile(kind));
    if ((await this.#fs.size(path)) === null) return { list: null, problem: null };
    const list = parse(await this.#fs.readWhole(path));
    if (list !== null) return { list, problem: null };
    const quarantine = new Quarantine(this.#fs, dir, clock, log);
    if (readOnly) quarantine.onlyTell();
    await quarantine.move(getFile(kind), "damaged", `The ${kind} price list was damaged and is not used.`);
    return { list: null, problem: quarantine.notices[0]?.message ?? null };
  }

  /** @throws StoreWriteError */
  write(kind: PriceListKind, list: StoredPriceList): Promise<void> {
    const { id, url, shape, fetched_at } = list;
    const hosts = [...list.hosts].map(([host, models]) => [host, [...models]]);
    const line = Buffer.from(frame(JSON.stringify({ id, url, shape, fetched_at, hosts })));
    return this.#change((path) => replaceFile(this.#fs, path(kind), (file) => file.write(line, 0)));
  }

  /** Replaces the accepted list by the offered one. @throws StoreWriteError */
  acceptOffer(): Promise<void> {
    return this.#change(async (path) => {
      await this.#fs.rename(path("offered"), path("accepted"));
      await this.#fs.syncFolder(this.#options.dir);
    });
  }

  /** @throws StoreWriteError */
  remove(kind: PriceListKind): Promise<void> {
    return this.#change(async (path) => {
      await this.#fs.remove(path(kind));
      await this.#fs.syncFolder(this.#options.dir);
    });
  }

  async #change(work: (path: (kind: PriceListKind) => string) => Promise<void>): Promise<void> {
    const { dir, readOnly } = this.#options;
    if (readOnly)
      throw new StoreWriteError("A newer version wrote this data folder: price lists cannot be kept in it.");
    try {
      await work((kind) => join(dir, getFile(kind)));
    } catch (error) {
      throw new StoreWriteError(`The price list cannot be kept: ${getMessage(error)}`, { cause: error });
    }
  }
}

function parse(bytes: Buffer): StoredPriceList | null {
  const read = listSchema.safeParse(unframe(bytes.subarray(0, -1)));
  if (!read.success) return null;
  const hosts = new Map(read.data.hosts.map(([host, models]) => [host, new Map(models)]));
  return { ...read.data, hosts, models: findModels(hosts) };
}
