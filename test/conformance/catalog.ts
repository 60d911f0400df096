import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isRecord } from "../../gateway/lib/records.ts";
import { systemClock, utcDay } from "../../gateway/lib/clock.ts";
import { compareCatalog, readGenaiPrices, readLiteLlm } from "./compare-catalog.ts";
import type { ListedModel } from "./compare-catalog.ts";

/**
 * `npm run catalog:check`: compares the catalog with two public price lists, that of LiteLLM and that of genai-prices, which
 * their newest wheels on PyPI hold. The wheels are downloaded into a temporary folder and read as data; nothing of them is
 * run or installed.
 */

const execute = promisify(execFile);
const MOST_BYTES = 64 * 1024 * 1024;
const day = utcDay(systemClock.now());

/** A Python module's list `providers`, read from its syntax tree and written as JSON. */
const LITERALS = `
import ast, json, sys
def value(node):
    if isinstance(node, ast.Constant): return node.value
    if isinstance(node, (ast.List, ast.Tuple)): return [value(item) for item in node.elts]
    if isinstance(node, ast.Dict): return {value(key): value(item) for key, item in zip(node.keys, node.values)}
    if isinstance(node, ast.UnaryOp): return -value(node.operand)
    if not isinstance(node, ast.Call): return None
    name = ast.unparse(node.func)
    if name == "Decimal": return float(value(node.args[0]))
    if name == "datetime.date": return "-".join(f"{value(part):02}" for part in node.args)
    return {"type": name, **{field.arg: value(field.value) for field in node.keywords}}
tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
print(json.dumps(next(value(node.value) for node in tree.body if isinstance(node, ast.AnnAssign))))
`;

interface List {
  readonly name: string;
  read(folder: string): Promise<readonly ListedModel[]>;
}

const LISTS: readonly List[] = [
  {
    name: "litellm",
    async read(folder) {
      const text = await readFile(join(folder, "litellm/model_prices_and_context_window_backup.json"), "utf8");
      const list: unknown = JSON.parse(text);
      if (!isRecord(list)) throw new TypeError("LiteLLM's price file is no object");
      return readLiteLlm(list);
    },
  },
  {
    name: "genai-prices",
    async read(folder) {
      const argv = ["-c", LITERALS, join(folder, "genai_prices/data.py")];
      const { stdout } = await execute("python3", argv, { maxBuffer: MOST_BYTES });
      const list: unknown = JSON.parse(stdout);
      if (!Array.isArray(list)) throw new TypeError("The providers of genai-prices are no list");
      return readGenaiPrices(list, day);
    },
  },
];

async function check({ name, read }: List): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "postern-catalog-"));
  try {
    const argv = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", name];
    await execute("python3", argv, { cwd: folder });
    const wheel = (await readdir(folder)).find((file) => file.endsWith(".whl")) ?? "";
    await execute("python3", ["-m", "zipfile", "-e", wheel, "."], { cwd: folder });
    const { compared, differences, explained, missing } = compareCatalog(await read(folder), day);
    const lines = [
      `${wheel}: ${compared} models in both lists.`,
      ...explained.map((line) => `  explained   ${line}`),
      ...missing.map((line) => `  missing     ${line}`),
      ...differences.map((line) => `  DIFFERENT   ${line}`),
      `${differences.length} differences, ${missing.length} models missing, ${explained.length} differences explained.`,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
    return differences.length === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const agreed = [];
for (const list of LISTS) agreed.push(await check(list));
process.exitCode = agreed.every(Boolean) ? 0 : 1;
