import { GatewayError } from "../../core/errors.ts";
import { getMessage } from "../../lib/message-of.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import type { Notices } from "../notices.ts";
import type { MediaTroubles } from "./enter-media.ts";

export interface OpenedLibraryDeps {
  readonly notices: Pick<Notices, "add">;
  readonly troubles: MediaTroubles;
  readonly open: () => Promise<MediaStore>;
  /** The library's list is another one. */
  readonly changed: () => void;
  /** Called once, before any other user of the store. */
  readonly onOpen: (store: MediaStore) => void;
}

/** The library's store, opened on first use. */
export class OpenedLibrary {
  readonly #deps: OpenedLibraryDeps;
  #opened: Promise<MediaStore> | null = null;

  constructor(deps: OpenedLibraryDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError storage_unavailable if it cannot be opened; the next call retries */
  store(): Promise<MediaStore> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async close(): Promise<void> {
    await this.#opened?.then((store) => store.close()).catch(() => undefined);
  }

  /** Reports problems, now and when results are found again later. */
  #tellProblems(store: MediaStore): void {
    const reported = new Set<string>();
    const tell = (): void => {
      for (const problem of store.problems) if (!reported.has(problem)) this.#deps.notices.add("warning", problem);
      for (const problem of store.problems) reported.add(problem);
    };
    tell();
    store.records.onRepair = () => {
      tell();
      this.#deps.changed();
    };
  }

  async #open(): Promise<MediaStore> {
    const { troubles, onOpen } = this.#deps;
    try {
      const store = await this.#deps.open();
      this.#tellProblems(store);
      onOpen(store);
      return store;
    } catch (error) {
      this.#opened = null;
      const why = getMessage(error);
      const sentence = `The media library cannot be opened: ${why}.`;
      troubles.tell("open", sentence);
      throw new GatewayError("storage_unavailable", sentence, { cause: error });
    }
  }
}
