import { join, relative } from "node:path";
import { KeyedMutex } from "../../lib/mutex.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { Questions } from "../ledger/questions.ts";
import type { TableQuestions, TableResponse } from "../ledger/table-questions.ts";
import type { Quarantine } from "../quarantine.ts";
import { StoreWriteError } from "../store.ts";
import { describeResult } from "./media-adoption.ts";
import type { IncomingFile, MediaFiles } from "./media-files.ts";
import { getShard, getSidecarPath, isMediaId, readSidecar } from "./sidecar.ts";
import type { Sidecar } from "./sidecar.ts";

export interface MediaRecordsParts {
  readonly fs: StoreFs;
  /** The library's folder. */
  readonly dir: string;
  readonly files: MediaFiles;
  readonly quarantine: Quarantine;
  readonly frozen: string | null;
}

const REFUSED = "An earlier file of this result is in the way. Make room on the disk of the data folder and try again.";

type AboutMedia = Extract<keyof Questions, `media.${string}`>;

/** Sidecars of the library: written once, read by id, and rebuilt from their files if lost. */
export class MediaRecords {
  /** Why nothing may be written, or null. */
  readonly frozen: string | null;
  /** Called when results were found again, or are lost. */
  onRepair: () => void = () => undefined;
  readonly #parts: MediaRecordsParts;
  /** Serializes what changes one result. */
  readonly #mutex = new KeyedMutex();
  /** Folders in which sidecars changed since the index last responded. */
  #changed = new Set<string>();
  /** Refused results that the disk has kept, until they can be removed. */
  readonly #refused = new Map<string, { readonly file: IncomingFile; readonly sidecar: Sidecar }>();
  /** Ids whose files are not results. */
  readonly #hopeless = new Set<string>();
  #repairing: Promise<void> | null = null;

  constructor(parts: MediaRecordsParts) {
    this.#parts = parts;
    this.frozen = parts.frozen;
  }

  /** Whether there is a sidecar. @throws the disk's error */
  async has(id: string): Promise<boolean> {
    const { fs, dir } = this.#parts;
    return isMediaId(id) && !this.#refused.has(id) && typeof (await readSidecar(fs, dir, id)) === "object";
  }

  /** Returns the sidecar of a result; a lost one is rebuilt from its file. @throws the disk's error */
  async find(id: string): Promise<Sidecar | null> {
    const { fs, dir } = this.#parts;
    if (!isMediaId(id) || this.#refused.has(id)) return null;
    const found = await readSidecar(fs, dir, id);
    if (typeof found === "object") return found;
    if (found === "unknown" || this.frozen !== null || this.#hopeless.has(id)) return null;
    if (found !== "damaged" && (await this.#parts.files.findFiles(id)).length === 0) return null;
    await this.#repairAll([id]);
    const repaired = await readSidecar(fs, dir, id);
    return typeof repaired === "object" ? repaired : null;
  }

  /** Moves a saved file into place, after its sidecar. @throws StoreWriteError; then neither exists */
  enter(sidecar: Sidecar, file: IncomingFile): Promise<void> {
    const { fs, dir, files } = this.#parts;
    const { id } = sidecar.entry;
    return this.#mutex.run([id], () =>
      this.write(async () => {
        if (this.#refused.has(id)) throw new StoreWriteError(REFUSED);
        const known = await readSidecar(fs, dir, id);
        const isKnown = typeof known === "object";
        if (isKnown && (await files.isThere(known))) return files.discard(file);
        // It may be another result's, whose id differs in its letters' case.
        if (known === "unknown" || known === "copied") throw new StoreWriteError(REFUSED);
        this.#changed.add(getShard(id));
        try {
          if (known === "damaged" && !(await this.#setAside([id]))) throw new StoreWriteError(REFUSED);
          await files.place(file, sidecar);
        } catch (error) {
          if (isKnown) await files.discard(file);
          else {
            this.#refused.set(id, { file, sidecar });
            await this.#undo();
          }
          throw error;
        }
      }),
    );
  }

  /** Removes results with their files. @param then completes the deletion @throws StoreWriteError */
  remove(ids: readonly string[], then: () => Promise<void>): Promise<void> {
    return this.#mutex.run(ids, () =>
      this.write(async () => {
        for (const id of ids) this.#changed.add(getShard(id));
        await this.#parts.files.removeAll(new Set(ids));
        await then();
      }),
    );
  }

  /** Starts to rebuild lost sidecars. @returns null if there are no such sidecars */
  repair(odd: readonly string[]): Promise<void> | null {
    const ids = odd.filter((id) => !this.#hopeless.has(id) && !this.#refused.has(id));
    if (this.frozen !== null || ids.length === 0) return this.#repairing;
    this.#repairing ??= this.#repairAll(ids)
      .catch(() => undefined)
      .finally(() => {
        this.#repairing = null;
      });
    return this.#repairing;
  }

  /** Asks the index, which reads the folders that changed before it responds. @throws the disk's error */
  async ask<N extends AboutMedia>(
    questions: TableQuestions,
    name: N,
    question: Omit<Questions[N]["ask"], "changed"> & Pick<Questions[N]["ask"], "hidden">,
  ): Promise<TableResponse<Questions[N]["response"]>> {
    const changed = this.#changed;
    this.#changed = new Set();
    try {
      const hidden = [...question.hidden, ...this.#refused.keys()];
      const fullQuestion = { ...question, hidden, changed: [...changed] } as unknown as Questions[N]["ask"];
      return await questions.ask(name, fullQuestion, false);
    } catch (error) {
      for (const folder of changed) this.#changed.add(folder);
      throw error;
    }
  }

  /** @throws StoreWriteError if the store is read-only or the disk refuses */
  async write<T>(work: () => Promise<T>): Promise<T> {
    if (this.frozen !== null) throw new StoreWriteError(this.frozen);
    try {
      await this.#undo();
      return await work();
    } catch (error) {
      const code = errorCode(error);
      if (code === "") throw error;
      throw new StoreWriteError(`The media library cannot be written (${code}).`, { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#repairing;
    await this.#mutex.waitUntilFree();
  }

  async #undo(): Promise<void> {
    for (const [id, { file, sidecar }] of this.#refused)
      if (await this.#parts.files.undo(file, sidecar)) this.#refused.delete(id);
  }

  /** Rebuilds the sidecars of these results from their files. Damaged sidecars go to quarantine. */
  #repairAll(ids: readonly string[]): Promise<void> {
    const { fs, dir, files, quarantine } = this.#parts;
    return this.#mutex.run(ids, async () => {
      const damaged: string[] = [];
      const lost: string[] = [];
      for (const id of ids) {
        const found = await readSidecar(fs, dir, id);
        if (found === "damaged" || found === "copied") damaged.push(id);
        if (typeof found === "string" && found !== "unknown") lost.push(id);
      }
      if (damaged.length > 0 && !(await this.#setAside(damaged))) return;
      let found = 0;
      for (const id of lost) {
        const sidecar = await describeResult(fs, dir, id, await files.findFiles(id));
        if (sidecar === null) {
          this.#hopeless.add(id);
          continue;
        }
        await files.putSidecar(sidecar);
        await files.syncFolder(id);
        found += 1;
      }
      for (const id of ids) this.#changed.add(getShard(id));
      const message = `Of ${found} results of the media library only the files are left: what they came from is not known.`;
      if (found > 0) quarantine.tell("missing", message, null, "media");
      if (found > 0 || damaged.length > 0) this.onRepair();
    });
  }

  /** @returns whether these sidecars are in quarantine */
  #setAside(ids: readonly string[]): Promise<boolean> {
    const { dir, quarantine } = this.#parts;
    const names = ids.map((id) => relative(join(dir, ".."), getSidecarPath(dir, id)));
    const message = `What the media library knew of ${ids.length} results was damaged.`;
    return quarantine.move(names, "damaged", message);
  }
}
