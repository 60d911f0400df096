import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  unlinkSync,
} from "node:fs";
import { errorCode, getKind, nodeStoreFs } from "./store-fs.ts";
import type { StoreFile, StoreFs } from "./store-fs.ts";

/**
 * File system access while a data folder is opened, when nothing else runs: the hundred or so checks and reads are
 * synchronous, because each would take several times as long in Node's thread pool. Writes are those of `nodeStoreFs`.
 * @returns `opened` is called once other work runs: from then on all operations are those of `nodeStoreFs`.
 */
export function openingStoreFs(): { readonly fs: StoreFs; readonly opened: () => void } {
  const fs = Object.assign(Object.create(nodeStoreFs) as StoreFs, AT_ONCE);
  const opened = (): void => {
    for (const name of Object.keys(AT_ONCE)) Reflect.deleteProperty(fs, name);
  };
  return { fs, opened };
}

const AT_ONCE: Pick<StoreFs, "makeFolder" | "protect" | "list" | "check" | "size" | "readWhole" | "open" | "remove"> = {
  async makeFolder(path) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  },
  async protect(path) {
    chmodSync(path, 0o700);
  },
  async list(path) {
    return unlessMissing(() => readdirSync(path), []);
  },
  async check(path) {
    return checkNow(path);
  },
  async size(path) {
    const found = checkNow(path);
    return found?.kind === "file" ? found.bytes : null;
  },
  async readWhole(path) {
    return readFileSync(path);
  },
  async open(path, how) {
    return how === "read" ? new ReadNow(openSync(path, constants.O_RDONLY)) : nodeStoreFs.open(path, how);
  },
  async remove(path) {
    unlessMissing(() => unlinkSync(path), undefined);
  },
};

function checkNow(path: string): Awaited<ReturnType<StoreFs["check"]>> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return { kind: getKind(found), bytes: found.size, changedAt: Math.floor(found.mtimeMs) };
}

function unlessMissing<T, M>(look: () => T, missing: M): T | M {
  try {
    return look();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return missing;
    throw error;
  }
}

/** A file that is open for reading. */
class ReadNow implements StoreFile {
  readonly #descriptor: number;
  readonly write = onlyRead;
  readonly writeNow = onlyRead;
  readonly sync = onlyRead;
  readonly truncate = onlyRead;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    let done = 0;
    while (done < into.length) {
      const read = readSync(this.#descriptor, into, done, into.length - done, position + done);
      if (read === 0) break;
      done += read;
    }
    return done;
  }

  async close(): Promise<void> {
    closeSync(this.#descriptor);
  }
}

function onlyRead(): never {
  throw new Error("The file is open for reading only.");
}
