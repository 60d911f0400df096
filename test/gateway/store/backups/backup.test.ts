import { join } from "node:path";
import { expect, test } from "vitest";
import { sweepBackups } from "../../../../gateway/store/backups/backup.ts";
import { readBackupName } from "../../../../gateway/store/backups/backup-files.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { CODES, eachCallInTurn, failures, fullForAWhile } from "../every-fault.ts";
import { open, putKey, receipt, seededRandom } from "../fixtures.ts";
import { SimFs, type Disk } from "../sim-fs.ts";

const DIR = "/data";
const BACKUPS = join(DIR, "backups");

/** A folder with a key, a receipt and a secret. */
async function folder(): Promise<Disk> {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const { store } = await open({ dir: DIR, fs });
  await store.commit([putKey("kept")]);
  await store.secrets.add("a provider key");
  await store.usage.settle(receipt("req_1"));
  await store.close();
  return fs.afterKill();
}

/** Everything that the folder of backups holds after a start has swept it opens whole, and so does the data. */
async function expectWhole(disk: Disk): Promise<number> {
  const fs = new SimFs(disk);
  await sweepBackups(fs, DIR);
  const names = await fs.list(BACKUPS);
  for (const dir of [DIR, ...names.map((name) => join(BACKUPS, name))]) {
    const { store } = await open({ dir, fs });
    expect([...store.document.keys.keys()]).toStrictEqual(["kept"]);
    await store.close();
  }
  return names.length;
}

test("a kill or a power cut at any step of a backup leaves one that is whole, or none", async () => {
  const random = seededRandom(17);
  const fs = new SimFs(await folder());
  const { store } = await open({ dir: DIR, fs });
  const disks: Disk[] = [];
  fs.onStep = () => void disks.push(fs.afterKill(), ...fs.afterPowerCut(3, random));
  await store.backup();
  fs.onStep = () => undefined;
  const counts = new Set<number>();
  for (const disk of disks) counts.add(await expectWhole(disk));
  expect(counts).toStrictEqual(new Set([0, 1]));
  await store.close();
}, 600_000);

test("whatever the disk refuses meanwhile, it is said in words, nothing is left, and the next one is whole", async () => {
  const disk = await folder();
  const counted = new SimFs(disk);
  const healthy = await open({ dir: DIR, fs: counted });
  const before = counted.calls;
  await healthy.store.backup();
  const calls = counted.calls - before;
  await healthy.store.close();
  const faults = [...CODES.flatMap((code) => eachCallInTurn(calls, code)), ...fullForAWhile(calls)];
  const broken = await failures(faults, async (fault) => {
    const fs = new SimFs(disk);
    const { store } = await open({ dir: DIR, fs });
    fs.fault = { ...fault, call: fs.calls + fault.call };
    const refused = await store.backup().then(
      () => null,
      (error: unknown) => error,
    );
    fs.fault = null;
    if (refused !== null) expect(refused).toBeInstanceOf(StoreWriteError);
    await store.backup();
    // A second backup of the same moment has the same name; what is there is finished.
    for (const name of await fs.list(BACKUPS)) expect(readBackupName(name)).not.toBeNull();
    await store.close();
  });
  expect(broken).toStrictEqual([]);
}, 600_000);
