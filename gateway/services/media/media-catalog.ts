import type { ListMedia, MediaPage, MediaView } from "../../contract/media.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { MediaPlace } from "../../store/ledger/questions.ts";
import { MediaRefused } from "../../store/media/media-incoming.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import { MediaLinks, toView } from "./media-links.ts";
import { posterBytes } from "./media-poster.ts";
import { notThere } from "./serve-media.ts";

const PAGE = 50;

export interface MediaCatalogDeps {
  readonly clock: Clock;
  readonly store: () => Promise<MediaStore>;
  /** The library's list is another one. */
  readonly changed: () => void;
}

/** Lists the library for the control API, with links that are signed again each time, and stills of videos. */
export class MediaCatalog {
  readonly #deps: MediaCatalogDeps;

  constructor(deps: MediaCatalogDeps) {
    this.#deps = deps;
  }

  /** Returns a new signed link (path and query) and its expiry (Unix ms); null if there is no such result. */
  async linkTo(id: string): Promise<{ link: string; expiresAt: number } | null> {
    const store = await this.#deps.store();
    return (await store.find(id)) === null ? null : this.#links(store).sign(id);
  }

  async view(id: string): Promise<MediaView | null> {
    const store = await this.#deps.store();
    const found = await store.find(id);
    return found === null ? null : toView(await store.read(found), this.#links(store));
  }

  /** `getMedia`. @throws GatewayError not_found */
  async get(id: string): Promise<MediaView> {
    const view = await this.view(id);
    if (view === null) throw notThere(id);
    return view;
  }

  /** `listMedia`: newest first, each with a fresh link. @throws GatewayError */
  async list(query: ListMedia): Promise<MediaPage> {
    const store = await this.#deps.store();
    const { limit = PAGE, before, min_nano: minNano, ...filter } = query;
    const { data, next, total, rebuilding } = await store.list({
      ...filter,
      limit,
      before: before === undefined ? null : readCursor(before),
      minNano,
    });
    const links = this.#links(store);
    return {
      data: data.map((listed) => toView(listed, links)),
      cursor: next === null ? null : `${next.place}-${next.id}`,
      pending: store.pending.length,
      total,
      rebuilding,
    };
  }

  /** `setPoster`. @param image base64 of a JPEG or WebP @throws GatewayError not_found, invalid_value, storage_unavailable */
  async setPoster(id: string, image: string): Promise<void> {
    const store = await this.#deps.store();
    const found = await store.find(id);
    if (found === null) throw notThere(id);
    if (found.entry.kind !== "video") {
      throw new GatewayError("invalid_value", `${id} is no video; only videos have a poster.`, { param: "id" });
    }
    const bytes = posterBytes(image);
    try {
      if (!(await store.setPoster(id, bytes))) throw notThere(id);
    } catch (error) {
      if (!(error instanceof MediaRefused)) throw error;
      throw new GatewayError("storage_unavailable", `The poster was not saved: ${error.message}`, { cause: error });
    }
    this.#deps.changed();
  }

  #links(store: MediaStore): MediaLinks {
    return new MediaLinks(store.linkSecret, this.#deps.clock);
  }
}

/** @throws GatewayError invalid_value */
function readCursor(text: string): MediaPlace {
  const [, place = "", id = ""] = /^(\d{1,16})-(\w{1,100})$/.exec(text) ?? [];
  if (id !== "") return { place: Number(place), id };
  throw new GatewayError("invalid_value", "before must be the cursor of an earlier page.", { param: "before" });
}
