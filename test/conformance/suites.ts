import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "../../gateway/index.ts";
import { systemClock } from "../../gateway/lib/clock.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { isRecord } from "../../gateway/lib/records.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";

/**
 * Suites and SDKs that others wrote, run by hand with `npm run test:suites`: installed from PyPI and npm into a temporary
 * folder, and pointed at a Postern with its sandbox on a free port of this machine. What they send goes nowhere else.
 * SUITE_MODELS names other models than the usual ones; SUITE_SECONDS how long schemathesis makes up requests.
 */

const PYTHON = [
  "llm-comply==0.5.0",
  "schemathesis==4.32.5",
  "openai==3.57.0",
  "anthropic==2.14.0",
  "google-genai==3.6.1",
];
const NODE = [
  "ai@7.0.173",
  "@ai-sdk/openai@4.0.118",
  "@ai-sdk/anthropic@4.0.105",
  "@ai-sdk/google@4.0.121",
  "@google/genai@3.3.0",
  "zod@4",
];
const DIALECTS = ["openai-chat", "open-responses", "anthropic"] as const;
/** One of which the sandbox speaks the dialect for each of the three, and one that is always translated. */
const MODELS = (process.env["SUITE_MODELS"] ?? "gpt-5.5,claude-sonnet-5,gemini-2.5-flash").split(",");
const SECONDS = process.env["SUITE_SECONDS"] ?? "120";
const KEY = "sk-suites0000000000000000000000000000000000000000000";
/** The checks that are left out look for what is no statement of the OpenAPI document. */
const ST_OPTIONS =
  "--phases fuzzing,coverage -n 15 --seed 1 --no-shrink --continue-on-failure " +
  "--exclude-checks unsupported_method,allow_header_conformance,object_level_authorization";

/** What a suite found for one dialect and model; what failed with its reason. */
interface Result {
  readonly suite: string;
  readonly dialect: string;
  readonly model: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly string[];
}

/** Standard output of a program. Suites exit with 1 where something failed: only what says nothing did not run. */
function run(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 256 * 1024 * 1024 };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error !== null && stdout === "") reject(new Error(`${program} ${args.join(" ")}: ${stderr.slice(-2_000)}`));
      else resolve(stdout);
    });
  });
}

async function comply(folder: string, url: string, dialect: string, model: string): Promise<Result> {
  const args = ["--format", dialect, "-u", `${url}/v1`, "-k", KEY, "-m", model, "--json"];
  const { results } = JSON.parse(await run(join(folder, "venv/bin/llm-comply"), args, folder)) as {
    readonly results: readonly { readonly id: string; readonly status: string; readonly errors?: readonly string[] }[];
  };
  const count = (status: string): number => results.filter((one) => one.status === status).length;
  const failed = results.flatMap(({ id, status, errors }) =>
    status === "passed" || status === "skipped" ? [] : [`${id}: ${(errors ?? []).join("; ").slice(0, 400)}`],
  );
  return { suite: "llm-comply", dialect, model, passed: count("passed"), skipped: count("skipped"), failed };
}

/** A program that prints, for each dialect, its checks with null or what failed. */
async function probe(suite: string, program: string, script: string, folder: string, url: string, model: string) {
  const env = { SUITE_URL: url, SUITE_KEY: KEY, SUITE_MODEL: model };
  const found: unknown = JSON.parse(await run(program, [script], folder, env));
  return Object.entries(isRecord(found) ? found : {}).map(([dialect, checks]): Result => {
    const all = Object.entries(isRecord(checks) ? checks : {});
    const failed = all.flatMap(([name, failure]) => (failure === null ? [] : [`${name}: ${JSON.stringify(failure)}`]));
    return { suite, dialect, model, passed: all.length - failed.length, skipped: 0, failed };
  });
}

async function schemathesis(folder: string, url: string): Promise<Result> {
  const output = await run(
    join(folder, "venv/bin/st"),
    [
      "run",
      `${url}/openapi.json`,
      "-H",
      `Authorization: Bearer ${KEY}`,
      "--max-time",
      SECONDS,
      ...ST_OPTIONS.split(" "),
    ],
    folder,
  );
  const [, generated = "0", found = "0"] = /([\d,]+) generated(?:, ([\d,]+) found)?/.exec(output) ?? [];
  const failed = output.split(/\n(?=_{3,} )/).flatMap((part) => {
    const [, operation] = /^_{3,} ([A-Z]+ \S+) _{3,}/.exec(part) ?? [];
    return operation === undefined ? [] : [`${operation}: ${/^- (.*)$/m.exec(part)?.[1]} ${/`(.*)`/.exec(part)?.[1]}`];
  });
  const passed = Number(generated.replaceAll(",", "")) - Number(found.replaceAll(",", ""));
  return { suite: "schemathesis", dialect: "all", model: "all", passed, skipped: 0, failed };
}

async function install(folder: string): Promise<void> {
  await run("python3", ["-m", "venv", "venv"], folder);
  const quiet = ["install", "--disable-pip-version-check", "--no-input"];
  await run(join(folder, "venv/bin/pip"), [...quiet, ...PYTHON], folder);
  await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", ...NODE], folder);
  for (const script of ["strict.py", "google-sdk.py", "ai-sdk.mjs", "google-sdk.mjs"])
    await copyFile(join(import.meta.dirname, "suites", script), join(folder, script));
}

async function runAll(folder: string, url: string): Promise<void> {
  const totals = new Map<string, { passed: number; failed: number; skipped: number }>();
  const show = ({ suite, dialect, model, passed, skipped, failed }: Result): void => {
    console.log(`${suite} ${dialect} ${model}: ${passed} passed, ${failed.length} failed, ${skipped} skipped`);
    for (const one of failed) console.log(`  ${one}`);
    const name = `${suite} ${dialect}`;
    const total = totals.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
    totals.set(name, {
      passed: total.passed + passed,
      failed: total.failed + failed.length,
      skipped: total.skipped + skipped,
    });
  };
  for (const model of MODELS) {
    for (const dialect of DIALECTS) show(await comply(folder, url, dialect, model));
    for (const [suite, program, script] of [
      ["sdk", join(folder, "venv/bin/python"), "strict.py"],
      ["google-genai, Python", join(folder, "venv/bin/python"), "google-sdk.py"],
      ["ai-sdk", process.execPath, "ai-sdk.mjs"],
      ["google-genai, JavaScript", process.execPath, "google-sdk.mjs"],
    ] as const)
      for (const one of await probe(suite, program, script, folder, url, model)) show(one);
  }
  show(await schemathesis(folder, url));
  console.table(Object.fromEntries(totals));
}

const folder = await mkdtemp(join(tmpdir(), "postern-suites-"));
try {
  console.log(`Installing ${[...PYTHON, ...NODE].join(", ")} …`);
  await install(folder);
  const gateway = await createGateway({
    dataDir: join(folder, "data"),
    host: "127.0.0.1",
    port: 0,
    env: { POSTERN_SANDBOX: "on", POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "suites" }]) },
    sealer: fileSealer(),
    assetsDir: null,
    version: "0.0.0-test",
    clock: systemClock,
    log: silentLog,
  });
  try {
    await runAll(folder, gateway.url);
  } finally {
    await gateway.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
