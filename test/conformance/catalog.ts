import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isRecord } from "../../gateway/lib/records.ts";
import { systemClock, utcDay } from "../../gateway/lib/clock.ts";
import { compareCatalog } from "./compare-catalog.ts";

/**
 * `npm run catalog:check`: compares the catalog with LiteLLM's price file, which its newest wheel on PyPI holds. The
 * wheel is downloaded into a temporary folder and read as data; nothing of it is run or installed.
 */

const FILE = "litellm/model_prices_and_context_window_backup.json";
const execute = promisify(execFile);

const folder = await mkdtemp(join(tmpdir(), "postern-catalog-"));
try {
  await execute("python3", ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "litellm"], {
    cwd: folder,
  });
  const wheel = (await readdir(folder)).find((name) => name.endsWith(".whl")) ?? "";
  await execute("python3", ["-m", "zipfile", "-e", wheel, "."], { cwd: folder });
  const list: unknown = JSON.parse(await readFile(join(folder, FILE), "utf8"));
  if (!isRecord(list)) throw new TypeError(`${FILE} of ${wheel} is no object`);
  const { compared, differences, explained, missing } = compareCatalog(list, utcDay(systemClock.now()));
  const lines = [
    `${wheel}: ${compared} models in both lists.`,
    ...explained.map((line) => `  explained   ${line}`),
    ...missing.map((line) => `  missing     ${line}`),
    ...differences.map((line) => `  DIFFERENT   ${line}`),
    `${differences.length} differences, ${missing.length} models missing, ${explained.length} differences explained.`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = differences.length > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}
