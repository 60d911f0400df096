import { cp, mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { nodeStoreFs, type StoreFs } from "../../../gateway/store/disk/store-fs.ts";
import { getSidecarPath } from "../../../gateway/store/media/sidecar.ts";
import { StartError } from "../../../gateway/start-error.ts";
import { temporaryFolder } from "../../support/running-gateway.ts";
import { seededRandom } from "../store/fixtures.ts";
import { systemError } from "../store/sim-fs.ts";
import { EVERYTHING, start, type Seen } from "./seen-folder.ts";
import { makeWholeFolder } from "./whole-folder.ts";
import { thin } from "../../support/dose.ts";

/** The file that the disk does not give, the error that it gives instead, and how many reads met it. */
const refusal = { file: "", error: new Error("unset"), reads: 0 };

/** Puts the refusal before what reads files. */
function refuseReads<F extends Pick<StoreFs, "open" | "readWhole">>(fs: F): F {
  const [open, readWhole] = [fs.open.bind(fs), fs.readWhole.bind(fs)];
  const refuse = async (): Promise<never> => {
    refusal.reads += 1;
    throw refusal.error;
  };
  fs.open = (at, how) => (at === refusal.file && how === "read" ? refuse() : open(at, how));
  fs.readWhole = (at) => (at === refusal.file ? refuse() : readWhole(at));
  return fs;
}

vi.mock(import("../../../gateway/store/disk/opening-fs.ts"), async (original) => {
  const { openingStoreFs } = await original();
  return {
    openingStoreFs: () => {
      const opening = openingStoreFs();
      return { ...opening, fs: refuseReads(opening.fs) };
    },
  };
});

/** Each kind of file: what of the above it alone holds, and whether it is made again at every start anyway. */
interface Kind {
  readonly path: string;
  readonly alone: readonly (keyof Seen)[];
  /** It is not read at a start, or is worth no one's notice. */
  readonly quiet?: boolean;
}

const SIDECAR = getSidecarPath("media", "media_1");

const KINDS: readonly Kind[] = [
  { path: "postern.json", alone: [] },
  { path: "secrets.json", alone: ["connection"] },
  { path: "secret.key", alone: ["connection"] },
  { path: "state.5.ndjson", alone: [] },
  { path: "journal.6.ndjson", alone: ["keys"] },
  { path: "usage/usage-2026-11.ndjson", alone: ["receipts", "recorded"] },
  { path: "tasks/tasks-2026-11.ndjson", alone: ["tasks"] },
  { path: SIDECAR, alone: ["results"] },
  { path: "media/library.json", alone: [], quiet: true },
  { path: "media/links.key", alone: [] },
  { path: "instance.json", alone: [], quiet: true },
  { path: "control.token", alone: [], quiet: true },
  { path: "recordings/1795176000000.ndjson", alone: ["recorded"], quiet: true },
  { path: "clients/claude-code/2026-11-20T120000", alone: [], quiet: true },
  { path: "desktop/desktop.json", alone: [], quiet: true },
];

interface Damage {
  readonly name: string;
  /** Puts something else there. @returns the bytes that are in the file now; null when it is not one */
  readonly apply: (path: string, bytes: Buffer) => Promise<Buffer | null>;
  /** Nothing may be lost by it at all. */
  readonly harmless?: boolean;
}

let base = "";
let outside = "";
let foreign = Buffer.alloc(0);
beforeAll(async () => {
  base = await makeWholeFolder();
  outside = await temporaryFolder();
  await writeFile(join(outside, "victim"), "not ours");
  foreign = await readFile(join(base, "state.3.ndjson"));
});
afterAll(async () => {
  for (const path of [base, outside]) await rm(path, { recursive: true, force: true });
});

const random = seededRandom(41);
const rewritten =
  (change: (bytes: Buffer) => Buffer): Damage["apply"] =>
  async (path, bytes) => {
    const changed = change(bytes);
    await writeFile(path, changed);
    return changed;
  };

const DAMAGES: readonly Damage[] = [
  { name: "empty", apply: rewritten(() => Buffer.alloc(0)) },
  { name: "full of zeros", apply: rewritten((bytes) => Buffer.alloc(bytes.length)) },
  { name: "cut in its middle", apply: rewritten((bytes) => bytes.subarray(0, (bytes.length >> 1) - 7)) },
  {
    name: "in its first half another file",
    apply: rewritten((bytes) => {
      const half = bytes.length >> 1;
      return Buffer.concat([Buffer.concat([foreign, Buffer.alloc(half, "x")]).subarray(0, half), bytes.subarray(half)]);
    }),
  },
  { name: "noise", apply: rewritten((bytes) => Buffer.from(bytes.map(() => Math.floor(random() * 256)))) },
  {
    name: "with other line endings",
    apply: rewritten((bytes) => Buffer.from(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1")),
    harmless: true,
  },
  {
    name: "with a mark before it",
    apply: rewritten((bytes) => Buffer.concat([Buffer.from("\uFEFF"), bytes])),
    harmless: true,
  },
  {
    name: "twice, under the name of a copy",
    apply: async (path, bytes) => {
      await writeFile(path.replace(/(\.\w+)$/, " (1)$1"), bytes);
      return null;
    },
    harmless: true,
  },
  {
    name: "a folder",
    apply: async (path) => {
      await rm(path);
      await mkdir(path);
      await writeFile(join(path, "inside"), "kept");
      return null;
    },
  },
  {
    name: "a link to a file outside",
    apply: async (path) => {
      await rm(path);
      await symlink(join(outside, "victim"), path);
      return null;
    },
  },
];

/** For what no one reads at a start. */
const FEW: ReadonlySet<string> = new Set([
  "empty",
  "noise",
  "with other line endings",
  "a folder",
  "a link to a file outside",
]);

async function quarantined(dir: string): Promise<Buffer[]> {
  const names = await readdir(join(dir, "quarantine"), { recursive: true, withFileTypes: true }).catch(() => []);
  return Promise.all(names.filter((name) => name.isFile()).map((name) => readFile(join(name.parentPath, name.name))));
}

async function copyOf(path: string): Promise<string> {
  const copy = await temporaryFolder();
  await cp(path, copy, { recursive: true });
  return copy;
}

/** @returns what is wrong after this damage, in words */
async function wrongWith({ path, alone, quiet = false }: Kind, { name, apply, harmless = false }: Damage) {
  const wrong: string[] = [];
  const claim = (holds: boolean, words: string): void => void (holds || wrong.push(`${name}: ${words}`));
  const dir = await copyOf(base);
  try {
    const bytes = await apply(join(dir, path), await readFile(join(dir, path)));
    const first = await start(dir);
    const lost = (Object.keys(EVERYTHING) as (keyof Seen)[]).filter((field) => first.seen[field] !== EVERYTHING[field]);
    claim(
      lost.every((field) => !harmless && alone.includes(field)),
      `lost ${lost.join(", ")}`,
    );
    claim(first.notices.length <= 2, `told ${first.notices.join(" | ")}`);
    // A journal without a line is what every saved state leaves; a month of tasks without one is what a kill leaves, and no
    // index has read it before.
    const isStarted = bytes?.length === 0 && /^(?:journal|tasks\/)/.test(path);
    const isReported = first.notices.length > 0 || lost.length === 0 || quiet || isStarted;
    claim(isReported, "is not told");
    if (first.notices.some((notice) => notice.includes("What was there is in")) && bytes !== null) {
      const stored = await quarantined(dir);
      claim(
        stored.some((part) => part.equals(bytes) || bytes.includes(part)),
        "is not in quarantine as it was",
      );
    }
    claim(
      !first.notices.some((notice) => /not written to its end/.test(notice) && name !== "cut in its middle"),
      "is misnamed",
    );
    const second = await start(dir);
    claim(
      JSON.stringify(second.seen) === JSON.stringify(first.seen),
      `the second start has ${JSON.stringify(second.seen)}`,
    );
    const news = second.notices.filter((notice) => !first.notices.includes(notice));
    claim(news.length === 0, `the second start tells ${news.join(" | ")}`);
    claim((await readFile(join(outside, "victim"), "utf8")) === "not ours", "changed what is outside");
    return wrong;
  } catch (error) {
    return [`${name}: ${String(error)}`];
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

it("a whole folder shows everything and tells nothing", async () => {
  const dir = await copyOf(base);
  expect(await start(dir)).toStrictEqual({ seen: EVERYTHING, notices: [] });
  await rm(dir, { recursive: true, force: true });
});

describe("whatever has become of a file, nothing else is lost, it is reported once and the next start is quiet", () => {
  // In the short dose each kind of damage meets each fifth file.
  it.each(KINDS.map((kind, place) => [kind.path, kind, place % 5] as const))(
    "%s",
    async (_path, kind, first) => {
      const wrong: string[] = [];
      const damages = DAMAGES.filter(({ name }) => kind.quiet !== true || FEW.has(name));
      for (const damage of thin(damages, 5, first)) wrong.push(...(await wrongWith(kind, damage)));
      expect(wrong).toStrictEqual([]);
    },
    600_000,
  );
});

describe("a file that the disk does not give", () => {
  beforeAll(() => void refuseReads(nodeStoreFs));
  const ENDS = /^(The data folder|The disk) .*PATH.*CODE/;
  const NO_MEDIA = /The media library cannot be opened: CODE/;
  const NO_TASKS = /^Older video tasks cannot be read: CODE/;

  it.each(
    [
      ["postern.json", ENDS],
      ["secrets.json", ENDS],
      ["secret.key", ENDS],
      ["state.5.ndjson", ENDS],
      ["journal.6.ndjson", ENDS],
      ["usage/usage-2026-11.ndjson", ENDS],
      ["tasks/tasks-2026-11.ndjson", NO_TASKS],
      ["media/links.key", NO_MEDIA],
      [SIDECAR, /^$/],
      ["recordings/1795176000000.ndjson", /^$/],
    ].flatMap(([path, says]) => ["EACCES", "EIO"].map((code) => [path, code, says] as [string, string, RegExp])),
  )("%s, %s: Postern says %s, changes nothing and has everything afterwards", async (path, code, says) => {
    const dir = await copyOf(base);
    const file = join(dir, path);
    const before = await readFile(file);
    Object.assign(refusal, { file, error: Object.assign(systemError(code), { path: file }), reads: 0 });
    const outcome = await start(dir).catch((error: Error) => error);
    refusal.file = "";
    expect(refusal.reads).toBeGreaterThan(0);
    expect(outcome instanceof StartError).toBe(says === ENDS);
    const text = outcome instanceof Error ? outcome.message : outcome.notices.join();
    expect(text).toMatch(new RegExp(says.source.replace("PATH", path).replace("CODE", code)));
    expect(await readFile(file)).toStrictEqual(before);
    expect(await start(dir)).toStrictEqual({ seen: EVERYTHING, notices: [] });
    await rm(dir, { recursive: true, force: true });
  });
});

it("thousands of files of others in the folder are in no one's way", async () => {
  const dir = await copyOf(base);
  const names = Array.from({ length: 1_000 }, (_, index) => `copy (${index}) of state.5.ndjson`);
  for (const folder of ["", "usage", "tasks", "media", "recordings", "backups", "clients"])
    await Promise.all(names.map((name) => writeFile(join(dir, folder, name), "theirs")));
  const { seen, notices } = await start(dir);
  expect([seen, notices]).toStrictEqual([EVERYTHING, []]);
  await rm(dir, { recursive: true, force: true });
}, 300_000);
