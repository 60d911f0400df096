import { writeSync } from "node:fs";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { fileSealer } from "../../../gateway/store/data-key.ts";
import { lockFolder } from "../../../gateway/store/disk/lock.ts";
import { openStore } from "../../../gateway/store/open-store.ts";
import { dropKey, openCall, putKey, receipt } from "./fixtures.ts";

/**
 * A process to be killed: fifty clients change keys and settle receipts, and each acknowledgement is one line on the
 * standard output, written before the client goes on. `?` lines say what is about to be asked for.
 */
const [dir = "", round = ""] = process.argv.slice(2);
const CLIENTS = 50;

const tell = (line: string): void => {
  writeSync(1, `${line}\n`);
};

const lock = await lockFolder(dir);
if (!lock.owner) throw new Error("the lock of a killed process was not free");
const started = performance.now();
const store = await openStore({ dir, sealer: fileSealer(), clock: systemClock, log: () => undefined });
tell(`ready ${Math.round(performance.now() - started)}`);

async function client(name: string): Promise<never> {
  for (let index = 0; ; index += 1) {
    const id = `${name}-${index}`;
    await store.commit([putKey(id)]);
    tell(`put ${id}`);
    for (let call = 0; call < 3; call += 1) {
      const request = `${id}-${call}`;
      store.usage.begin(openCall(request, { at: Date.now() }));
      await store.usage.settle(receipt(request, { at: Date.now() }));
      tell(`settled ${request}`);
    }
    if (index % 2 === 0) continue;
    tell(`? ${id}`);
    await store.commit([dropKey(id)]);
    tell(`dropped ${id}`);
  }
}

async function snapshots(): Promise<never> {
  for (;;) await store.snapshot();
}

await Promise.all([snapshots(), ...Array.from({ length: CLIENTS }, (_, index) => client(`${round}-${index}`))]);
