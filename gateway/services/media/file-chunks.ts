import type { StoreFile } from "../../store/disk/store-fs.ts";

const CHUNK_BYTES = 256 * 1024;

/** Yields a file's bytes from `first` to `last`, both inclusive. @throws if the file is truncated meanwhile */
export async function* fileChunks(file: StoreFile, first: number, last: number): AsyncGenerator<Buffer> {
  for (let position = first; position <= last;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, last - position + 1));
    const read = await file.read(chunk, position);
    if (read < chunk.length) throw new Error("The file was cut while it was sent.");
    yield chunk;
    position += read;
  }
}
