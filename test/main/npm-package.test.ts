import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { access, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const TIMEOUT_MS = 180_000;

let folder = "";
let program = "";

/** Runs to the end. @throws with what it wrote when it fails */
function run(command: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

const postern = (...words: readonly string[]): string => run(process.execPath, [program, ...words], folder);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-npm-"));
  run(process.execPath, ["main/package-npm.mjs", folder], join(import.meta.dirname, "../.."));
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "";
  run("npm", ["install", "--offline", "--no-audit", "--prefix", folder, join(folder, tarball)], folder);
  program = join(folder, "node_modules/postern/postern.mjs");
}, TIMEOUT_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

it("brings bundles and a launcher, and no dependency", async () => {
  const files = await readdir(join(folder, "node_modules/postern"), { recursive: true });
  expect(await readdir(join(folder, "node_modules"))).toEqual([".bin", ".package-lock.json", "postern"]);
  expect(files.filter((name) => /\.(?:ts|tsx|map)$|\.stamp$|node_modules/.test(name))).toEqual([]);
  for (const name of ["third-party.txt"].flatMap((each) => ["gateway", "command"].map((part) => `out/${part}/${each}`)))
    await access(join(folder, "node_modules/postern", name));
  const manifest = JSON.parse(await readFile(join(folder, "node_modules/postern/package.json"), "utf8")) as object;
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("scripts");
});

it("starts, responds, names its own command and is stopped", { timeout: TIMEOUT_MS }, async () => {
  const data = join(folder, "data");
  const started = spawn(process.execPath, [program, "--port", "0", "--data-dir", data, "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(createInterface(started.stdout), "line")) as [string];
  const ready = JSON.parse(line) as { url: string; apiKey: string };
  const models = await fetch(`${ready.url}/v1/models`, { headers: { authorization: `Bearer ${ready.apiKey}` } });
  expect(models.status).toBe(200);
  const page = await (await fetch(ready.url)).text();
  expect(page).toContain(`content="postern open --data-dir ${data}"`);
  expect(postern("keys", "list", "--data-dir", data)).toContain("First key");
  // A second start finds the first one.
  expect(postern("--data-dir", data)).toContain(`already running at ${ready.url}`);
  started.kill("SIGTERM");
  expect((await once(started, "exit"))[0]).toBe(0);
});

it("starts for the time of a run, and ends with it", { timeout: TIMEOUT_MS }, () => {
  const data = join(folder, "run-data");
  const asks = `fetch(process.env.OPENAI_BASE_URL + "/models", { headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY } })
    .then(({ status }) => { console.log(status); process.exit(status === 200 ? 0 : 1); })`;
  expect(postern("run", "--data-dir", data, process.execPath, "--", "-e", asks)).toBe("200\n");
  expect(() => postern("keys", "list", "--data-dir", data)).toThrow(/No Postern is running|has ended/);
});

it("is the command with words, and prints its help", () => {
  expect(postern("--help")).toContain("keys create");
  expect(() => postern("no-such-command")).toThrow(/There is no command/);
});
