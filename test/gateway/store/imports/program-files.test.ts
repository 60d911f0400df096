import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isProgramFile, readProgramFile } from "../../../../gateway/store/imports/program-files.ts";
import { needs } from "../../../support/needs.ts";

let folder: string;
/** Where copies are made, for this test alone. */
let temporary: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-program-"));
  temporary = await mkdtemp(join(tmpdir(), "postern-copies-"));
  vi.stubEnv("TMPDIR", temporary);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
  await rm(temporary, { recursive: true, force: true });
});

const path = (name: string): string => join(folder, name);

/** Everything in the folder, as it is distinguished. */
async function state(): Promise<unknown> {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const { mtimeMs, size, mode } = await stat(path(name));
      return [name, mtimeMs, size, mode, (await readFile(path(name))).toString("base64")];
    }),
  );
}

describe("a file of another program", () => {
  it("is read, through links too", async () => {
    await writeFile(path("config.json"), '{"ü": 1}');
    await symlink(path("config.json"), path("link"));
    for (const name of ["config.json", "link"])
      expect(await readProgramFile(path(name), undefined)).toEqual({
        path: path(name),
        text: '{"ü": 1}',
        tables: {},
        otherTables: {},
      });
    expect(await isProgramFile(path("link"))).toBe(true);
  });

  it("does not exist where none exists, and no reason to fail", async () => {
    await symlink(path("nowhere"), path("dangling"));
    await writeFile(path("file"), "");
    for (const name of ["missing", "dangling", "file/below"]) {
      expect(await readProgramFile(path(name), undefined)).toBeNull();
      expect(await isProgramFile(path(name))).toBe(false);
    }
  });

  it.skipIf(process.platform === "win32")(
    "is reported as unreadable where it is no regular file, or too large",
    needs("POSIX file modes"),
    async () => {
      await mkdir(path("folder"));
      execFileSync("mkfifo", [path("pipe")]);
      await symlink("/dev/zero", path("device"));
      await writeFile(path("large"), "");
      await truncate(path("large"), 9 * 1024 * 1024);
      const problems = ["folder", "pipe", "device", "large"].map((name) => readProgramFile(path(name), undefined));
      expect((await Promise.all(problems)).map((found) => found && "problem" in found && found.problem)).toEqual([
        "It is not a regular file.",
        "It is not a regular file.",
        "It is not a regular file.",
        "It has more than 8 MiB.",
      ]);
    },
  );

  it.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
    "is reported where it may not be read",
    needs("POSIX file modes and a user other than root"),
    async () => {
      await writeFile(path("secret"), "x");
      await chmod(path("secret"), 0);
      expect(await readProgramFile(path("secret"), undefined)).toMatchObject({
        problem: "It may not be read by Postern.",
      });
    },
  );
});

describe("a database of another program", () => {
  it("is read while that program has it open, with what is only in its log, and is not touched", async () => {
    const database = new DatabaseSync(path("app.db"));
    database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
    database.exec(
      'CREATE TABLE providers (id TEXT, "weird ""name" INTEGER, blob BLOB, big INTEGER); CREATE TABLE logs (x)',
    );
    database.exec("INSERT INTO providers VALUES ('a', 1, x'00ff', 9007199254740993), ('b', NULL, NULL, 2)");
    database.exec("INSERT INTO logs VALUES (1), (2), (3)");
    const before = await state();
    expect(await readProgramFile(path("app.db"), ["providers", "missing"])).toEqual({
      path: path("app.db"),
      text: "",
      tables: {
        providers: [
          { id: "a", 'weird "name': 1, blob: new Uint8Array([0, 255]), big: 9_007_199_254_740_993n },
          { id: "b", 'weird "name': null, blob: null, big: 2 },
        ],
        missing: [],
      },
      otherTables: { logs: 3 },
    });
    expect(await state()).toEqual(before);
    expect(await readdir(temporary)).toEqual([]);
    // And goes on working for the program itself.
    database.exec("INSERT INTO logs VALUES (4)");
    database.close();
  });

  it("is reported as unreadable where it is no file", async () => {
    await writeFile(path("app.db"), "no database at all, but long enough to be looked at as one".repeat(100));
    expect(await readProgramFile(path("app.db"), ["providers"])).toEqual({
      path: path("app.db"),
      problem: "It could not be read.",
    });
    expect(await readdir(temporary)).toEqual([]);
  });

  it("runs nothing that is in it", async () => {
    const database = new DatabaseSync(path("app.db"));
    database.exec("CREATE TABLE real (x); CREATE VIEW providers AS SELECT load_extension('nothing') AS x");
    database.close();
    expect(await readProgramFile(path("app.db"), ["providers"])).toMatchObject({ tables: { providers: [] } });
  });

  it("has no generated columns and no huge values, and tables that cannot be counted stop nothing", async () => {
    const database = new DatabaseSync(path("app.db"));
    database.exec("CREATE TABLE t (a, b, c AS (hex(zeroblob(20000000))), d AS (hex(zeroblob(20000000))) STORED)");
    database.prepare("INSERT INTO t (a, b) VALUES (1, ?)").run("x".repeat(2_000_000));
    database.enableDefensive(false);
    database.exec("PRAGMA writable_schema = ON");
    database.exec(
      "INSERT INTO sqlite_schema VALUES ('table', 'vectors', 'vectors', 0, 'CREATE VIRTUAL TABLE vectors USING vec0(a)')",
    );
    database.close();
    expect(await readProgramFile(path("app.db"), ["t"])).toMatchObject({
      tables: { t: [{ a: 1, b: null }] },
      otherTables: { vectors: 0 },
    });
    const many = new DatabaseSync(path("many.db"));
    many.exec("CREATE TABLE t (a)");
    const insert = many.prepare("INSERT INTO t VALUES (?)");
    for (let row = 0; row < 80; row += 1) insert.run("x".repeat(250_000));
    many.close();
    const read = await readProgramFile(path("many.db"), ["t"]);
    expect(read && "tables" in read && read.tables["t"]?.length).toBe(67);
  });

  it("has standard error say nothing of SQLite", () => {
    const module = JSON.stringify(join(import.meta.dirname, "../../../../gateway/store/imports/program-files.ts"));
    const script = `const { readProgramFile } = await import(${module}); console.log(JSON.stringify(await readProgramFile(${JSON.stringify(path("app.db"))}, ["t"])));`;
    new DatabaseSync(path("app.db")).exec("CREATE TABLE t (x)");
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(JSON.parse(out.toString())).toMatchObject({ tables: { t: [] } });
    const quiet = execFileSync("sh", [
      "-c",
      `"$0" --input-type=module -e "$1" 2>&1 >/dev/null`,
      process.execPath,
      script,
    ]);
    expect(quiet.toString()).toBe("");
  });
});
