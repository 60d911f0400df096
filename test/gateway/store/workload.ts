import { isDeepStrictEqual } from "node:util";
import type { Change } from "../../../gateway/store/document.ts";
import { applyChange, emptyDocument } from "../../../gateway/store/disk/memory.ts";
import type { OpenedStore } from "../../../gateway/store/open-store.ts";
import type { Store } from "../../../gateway/store/store.ts";
import { dropKey, openCall, putKey, receipt } from "./fixtures.ts";
import type { Settled } from "./receipts-on.ts";
import { NOON } from "./fixtures.ts";

/** What a test knows of a store: everything it asked for, and how much of it was acknowledged. */
export class Witness {
  /** All changes in the order in which they were asked for; relaxed ones too. */
  readonly requests: (readonly Change[])[] = [];
  /** How many of `asked`, from the first on, must be there after any crash. */
  acknowledged = 0;
  readonly settled: { id: string; nano: number }[] = [];
  written = 0;
  synced = 0;
  /** Calls that were sent to a provider and whose end the client has seen. */
  readonly ended: string[] = [];
  readonly secrets = new Map<string, string>();

  note(): { acknowledged: number; written: number; synced: number; ended: number; secrets: string[] } {
    return {
      acknowledged: this.acknowledged,
      written: this.written,
      synced: this.synced,
      ended: this.ended.length,
      secrets: [...this.secrets.keys()],
    };
  }
}

const KEY_IDS = ["a", "b", "c", "d"];
const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;

/** One random operation on the store. Resolves when it is acknowledged. */
async function step(store: OpenedStore, witness: Witness, random: () => number, index: number): Promise<void> {
  const choice = random();
  const id = KEY_IDS[Math.floor(random() * KEY_IDS.length)] as string;
  if (choice < 0.3) await commit(store, witness, [putKey(id, `name ${index}`)]);
  else if (choice < 0.38) await commit(store, witness, [dropKey(id), putKey(`${id}-copy`, `name ${index}`)]);
  else if (choice < 0.43) await commit(store, witness, [discovery(id, index)]);
  else if (choice < 0.5) {
    witness.requests.push([discovery(id, index)]);
    store.commitRelaxed([discovery(id, index)]);
  } else if (choice < 0.8) await settle(store, witness, random, index);
  else if (choice < 0.88) {
    const count = witness.settled.length;
    await store.usage.sync();
    witness.synced = Math.max(witness.synced, count);
  } else if (choice < 0.93) {
    const secret = `secret ${index}`;
    witness.secrets.set(await store.secrets.add(secret), secret);
  } else await store.snapshot();
}

const discovery = (id: string, at: number): Change => ({
  op: "put",
  in: "discoveries",
  record: { id, at, models: [] },
});

async function commit(store: OpenedStore, witness: Witness, changes: readonly Change[]): Promise<void> {
  const count = witness.requests.push(changes);
  await store.commit(changes);
  witness.acknowledged = Math.max(witness.acknowledged, count);
}

async function settle(store: Store, witness: Witness, random: () => number, index: number): Promise<void> {
  const id = `r${index}`;
  // Some receipts belong to the next month, so that two segments are in use, and some to a day that is over.
  const when = random();
  const at = when < 0.1 ? NOON - 5 * DAY_MS : NOON + (when < 0.4 ? MONTH_MS : 0);
  const nano = 1 + Math.floor(random() * 1_000);
  const started = random() < 0.5;
  if (started) store.usage.begin(openCall(id, { at }));
  // Some take so long that their note is written, and some longer than its sync.
  if (started && random() < 0.3) await new Promise((resolve) => setTimeout(resolve, random() * 12));
  const count = witness.settled.push({ id, nano });
  await store.usage.settle(receipt(id, { at, nano, key: random() < 0.5 ? "k1" : "k2" }));
  witness.written = Math.max(witness.written, count);
  if (started) witness.ended.push(id);
}

/** Runs `count` random operations, some of them side by side. */
export async function work(store: OpenedStore, witness: Witness, random: () => number, count: number): Promise<void> {
  const underWay: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    underWay.push(step(store, witness, random, index));
    if (random() < 0.3) await Promise.all(underWay.splice(0));
    // The next one may come while the last is half done.
    else for (let turns = random() * 20; turns > 1; turns -= 1) await Promise.resolve();
  }
  await Promise.all(underWay);
}

type Noted = ReturnType<Witness["note"]>;

/** What is wrong with a store that was opened after a crash: nothing, or one sentence for each promise broken. */
export function brokenPromises(
  store: OpenedStore,
  receipts: readonly Settled[],
  witness: Witness,
  noted: Noted,
  stored: "written" | "synced",
): string[] {
  const broken: string[] = [];
  if (!isBeginning(store, witness, noted.acknowledged)) broken.push("the keys are no state that was ever asked for");
  const listed = receipts.map(({ receipt: each }) => each);
  const ids = new Set(listed.map((found) => found.id));
  if (ids.size !== listed.length) broken.push("a receipt is there twice");
  for (const { id } of witness.settled.slice(0, noted[stored])) if (!ids.has(id)) broken.push(`receipt ${id} is lost`);
  const unknown = new Set(store.unfinished.map((call) => call.id));
  for (const id of witness.ended.slice(0, noted.ended)) {
    if (!ids.has(id) && !unknown.has(id)) broken.push(`call ${id} has ended and left no trace`);
  }
  const known = new Map(witness.settled.map(({ id, nano }) => [id, nano]));
  const sum = listed.reduce((total, found) => total + (known.get(found.id) ?? Number.NaN), 0);
  if (sum !== (store.document.spend.get("*")?.total_nano ?? 0)) broken.push("the spend is not the sum of the receipts");
  const byDay = [...store.document.daily.values()].reduce((total, { nano }) => total + nano, 0);
  if (sum !== byDay) broken.push(`the days are ${byDay} and the receipts are ${sum}`);
  for (const id of noted.secrets)
    if (store.secrets.get(id) !== witness.secrets.get(id)) broken.push("a secret is lost");
  for (const call of store.unfinished) if (ids.has(call.id)) broken.push(`${call.id} is settled and open`);
  if (!store.writable) broken.push("the store is not writable");
  return broken;
}

/** Whether keys and discoveries are what some beginning of the changes makes, with all acknowledged ones in it. */
function isBeginning(store: OpenedStore, witness: Witness, acknowledged: number): boolean {
  const model = emptyDocument();
  for (let count = 0; count <= witness.requests.length; count += 1) {
    const same =
      count >= acknowledged &&
      isDeepStrictEqual(model.keys, store.document.keys) &&
      isDeepStrictEqual(model.discoveries, store.document.discoveries);
    if (same) return true;
    for (const change of witness.requests[count] ?? []) applyChange(model, change);
  }
  return false;
}
