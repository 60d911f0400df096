import { nodeStoreFs } from "../../gateway/store/disk/store-fs.ts";

/** The disk of gateways in this process, which takes no more writes when a test says so. Install it before they start. */
export class FullDisk {
  /** Writes since `refuse`. */
  writes = 0;
  #from = 1;
  #left = 0;
  /** Only files below this folder are refused; null: all. */
  #below: string | null = null;
  readonly #open = nodeStoreFs.open.bind(nodeStoreFs);

  install(): this {
    nodeStoreFs.open = async (path, how) => {
      const file = await this.#open(path, how);
      const write = file.write.bind(file);
      const writeNow = file.writeNow.bind(file);
      file.write = async (bytes, position) => {
        this.#refuse(path);
        return write(bytes, position);
      };
      file.writeNow = (bytes, position) => {
        this.#refuse(path);
        writeNow(bytes, position);
      };
      return file;
    };
    return this;
  }

  remove(): void {
    nodeStoreFs.open = this.#open;
  }

  /** Takes no more writes from now on. */
  fill(): void {
    this.refuse(1, Infinity);
  }

  /** Takes no more writes to files below a folder. */
  fillBelow(folder: string): void {
    this.fill();
    this.#below = folder;
  }

  /** Takes writes again. */
  free(): void {
    this.#below = null;
    this.#left = 0;
  }

  /** Counts again, and refuses `count` writes from the `from`-th on (from 1). */
  refuse(from: number, count: number): void {
    this.writes = 0;
    this.#from = from;
    this.#left = count;
  }

  #refuse(path: string): void {
    if (this.#below !== null && !path.startsWith(this.#below)) return;
    this.writes += 1;
    if (this.#left === 0 || this.writes < this.#from) return;
    this.#left -= 1;
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  }
}
