import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder, until } from "../../../support/running-gateway.ts";
import { open, receipt } from "../fixtures.ts";

const EARLIER = ["usage-2026-11.blocks", "usage-2026-11.heads", "usage.sessions"];

/** What is in the folder of the log when the index has answered. */
async function look(dir: string, isExpected: (names: string[]) => boolean): Promise<string[]> {
  const { store } = await open({ dir });
  await store.usage.settle(receipt("req_1"));
  expect((await store.usage.list({ limit: 1 })).data).toHaveLength(1);
  const names = (): Promise<string[]> => readdir(join(dir, "usage"));
  await until(async () => isExpected(await names()));
  await store.close();
  return (await names()).toSorted();
}

test("what earlier versions made of the log goes when the index has answered, where there is a backup", async () => {
  const dir = await temporaryFolder();
  await mkdir(join(dir, "usage"));
  for (const name of EARLIER) await writeFile(join(dir, "usage", name), "x");
  expect(await look(dir, () => true)).toEqual([...EARLIER, "usage-2026-11.ndjson"].toSorted());
  const { store } = await open({ dir });
  await store.backup();
  await store.close();
  expect(await look(dir, (names) => names.length === 1)).toEqual(["usage-2026-11.ndjson"]);
});
