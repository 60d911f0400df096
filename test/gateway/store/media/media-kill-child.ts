import { writeSync } from "node:fs";
import { png, wav } from "../../../support/media-samples.ts";
import { addMedia, openMedia } from "./media-fixtures.ts";

/** A process to be killed: saves results as fast as it can, and tells each one that it was reported is saved. */
const [dir = "", round = ""] = process.argv.slice(2);
const store = await openMedia({ dir });
writeSync(1, "ready\n");

async function client(name: string): Promise<never> {
  for (let index = 0; ; index += 1) {
    const id = `media_${name}_${index}`;
    // Every third result repeats an earlier one.
    const bytes = index % 3 === 0 ? png(8, 8, index >> 2) : Buffer.concat([wav(300), Buffer.from(id)]);
    await addMedia(store, id, bytes);
    writeSync(1, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: 6 }, (_, index) => client(`${round}_${index}`)));
