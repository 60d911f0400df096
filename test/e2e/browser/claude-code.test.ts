import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { completion, stream } from "../../support/acts.ts";
import { modelList, startProvider, type MockProvider } from "../../support/mock-provider.ts";
import { closeAll, listening, sharedBrowser, watchedPage, type Watched } from "./browser.ts";
import { startGateway, type RunningGateway } from "./gateway.ts";
import { needs } from "../../support/needs.ts";

/** The promise of the first run: from an empty data folder to a response in Claude Code, by what the pages say alone. */
let gateway: RunningGateway;
let provider: MockProvider;
let home: string;
const opened: Watched[] = [];

/** The real Claude Code: CLAUDE_BIN, else `claude` on the PATH; undefined where none exists. */
const folders = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "claude"));
const claudeCode = [process.env["CLAUDE_BIN"] ?? "", ...folders].find((file) => file !== "" && existsSync(file));
if (claudeCode === undefined)
  process.stderr.write("skipped: no Claude Code. Put it on the PATH, or name it with CLAUDE_BIN.\n");

beforeAll(async () => {
  provider = await startProvider();
  provider.list = modelList(["provider-model"]);
  const [whole, streamed] = [completion(), stream()];
  provider.usual = (exchange) =>
    (JSON.parse(exchange.seen.body.toString()) as { stream?: boolean }).stream === true
      ? streamed(exchange)
      : whole(exchange);
});
afterAll(() => provider.close());
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-home-"));
});
afterEach(async () => {
  await closeAll(opened);
  await gateway.stop();
  await rm(home, { recursive: true, force: true });
});

/** Says how long each step took: the promise is three minutes for a person, and a machine that is busy proves nothing. */
function watch(): (step: string) => void {
  let from = performance.now();
  return (step) => {
    const now = performance.now();
    process.stderr.write(`${step}: ${((now - from) / 1_000).toFixed(1)} s\n`);
    from = now;
  };
}

/** Starts Postern and does what its pages say; ends with what they say to type in a terminal. */
async function walk(done: (step: string) => void): Promise<{ page: Page; command: string | null }> {
  gateway = await startGateway({ HOME: home, XDG_CONFIG_HOME: "", CLAUDE_CONFIG_DIR: "" });
  done("start");
  const watched = await watchedPage(await sharedBrowser(), gateway.url);
  opened.push(watched);
  const { page } = watched;
  await page.goto(gateway.ui);
  await listening(page);
  const step = (name: string) => page.getByRole("region", { name, exact: true });
  await step("Connect a provider").getByRole("button", { name: "Add provider" }).click();
  const add = page.getByRole("dialog", { name: "Add a provider" });
  await add.getByRole("radio", { name: "Another compatible server" }).click();
  await add.getByLabel("Name").fill("Mine");
  await add.getByLabel("Base URL").fill(provider.baseUrl);
  await add.getByLabel("Provider key").fill("sk-provider");
  await add.getByLabel("Provider key").press("Enter");
  await step("Connect a provider").getByText("Connected: Mine").waitFor();
  done("provider");

  // Its own key is made when it is connected.
  await step("Connect an app").getByRole("button", { name: "Connect Claude Code" }).click();
  await page.getByRole("button", { name: "Write it" }).click();
  const connected = page.getByRole("dialog", { name: "Claude Code is connected" });
  await connected.getByText(/^Models: Works/).waitFor();
  await connected.getByRole("button", { name: "Done" }).click();
  const command = await step("Connect an app").locator("code").textContent();
  done("tool");
  return { page, command };
}

it("connects Claude Code from an empty data folder by what the pages say, and tells what to type", async () => {
  const { command } = await walk(watch());
  expect(command).toBe('claude -p "Say hello"');
  const settings = JSON.parse(await readFile(join(home, ".claude/settings.json"), "utf8")) as {
    env: Record<string, string>;
  };
  expect(settings.env).toMatchObject({
    ANTHROPIC_BASE_URL: gateway.url,
    ANTHROPIC_AUTH_TOKEN: expect.stringMatching(/^sk-/),
    ANTHROPIC_DEFAULT_SONNET_MODEL: "provider-model",
  });
});

it.skipIf(claudeCode === undefined)(
  "answers in the real Claude Code then",
  needs("Claude Code's own program"),
  async () => {
    const done = watch();
    const { page } = await walk(done);
    // A key of a provider in the shell is what most people have there.
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, ANTHROPIC_API_KEY: "sk-ant-of-the-shell" };
    const arrived = promisify(execFile)(claudeCode ?? "", ["-p", "Say hello"], { cwd: home, env });
    arrived.child.stdin?.end();
    const { stdout } = await arrived;
    expect(stdout.trim()).not.toBe("");
    done("answer");
    await page.getByRole("row").filter({ hasText: "claude-cli" }).first().waitFor();
  },
);
