import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { completion, stream } from "../../support/acts.ts";
import { modelList, startVendor, type MockVendor } from "../../support/mock-vendor.ts";
import { closeAll, listening, startBrowser, watchedPage, type Watched } from "./browser.ts";
import { startGateway, type RunningGateway } from "./gateway.ts";

/** The promise of the first run: from an empty data folder to an answer in Claude Code, by what the pages say alone. */
let browser: Browser;
let gateway: RunningGateway;
let vendor: MockVendor;
let home: string;
const opened: Watched[] = [];

const MOST_MS = 180_000;

/** The real Claude Code: CLAUDE_BIN, else `claude` on the PATH; null where there is none. */
function claudeCode(): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "claude"));
  return [process.env["CLAUDE_BIN"] ?? "", ...folders].find((file) => file !== "" && existsSync(file)) ?? null;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-home-"));
  vendor = await startVendor();
  vendor.list = modelList(["vendor-model"]);
  const [whole, streamed] = [completion(), stream()];
  vendor.usual = (exchange) =>
    (JSON.parse(exchange.seen.body.toString()) as { stream?: boolean }).stream === true
      ? streamed(exchange)
      : whole(exchange);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await vendor.close();
  await rm(home, { recursive: true, force: true });
});

it("answers in Claude Code within three minutes of the start", async () => {
  const steps: string[] = [];
  let from = performance.now();
  const begun = from;
  const done = (step: string): void => {
    const now = performance.now();
    steps.push(`${step} ${((now - from) / 1000).toFixed(1)} s`);
    from = now;
  };

  gateway = await startGateway({ HOME: home, XDG_CONFIG_HOME: "", CLAUDE_CONFIG_DIR: "" });
  done("start");
  const watched = await watchedPage(browser, gateway.url);
  opened.push(watched);
  const { page } = watched;
  await page.goto(gateway.ui);
  await listening(page);
  const step = (name: string) => page.getByRole("region", { name, exact: true });
  await step("Connect a vendor").getByRole("button", { name: "Add connection" }).click();
  const add = page.getByRole("dialog", { name: "Add a connection" });
  await add.getByRole("radio", { name: "Another compatible server" }).click();
  await add.getByLabel("Name").fill("Mine");
  await add.getByLabel("Base URL").fill(vendor.baseUrl);
  await add.getByLabel("Vendor key").fill("sk-vendor");
  await add.getByLabel("Vendor key").press("Enter");
  await step("Connect a vendor").getByText("Connected: Mine").waitFor();
  done("vendor");

  await step("Connect a tool").getByRole("button", { name: "Connect Claude Code" }).click();
  await page.getByRole("button", { name: "Write it" }).click();
  const connected = page.getByRole("dialog", { name: "Claude Code is connected" });
  await connected.getByText(/^Models: Works/).waitFor();
  await connected.getByRole("button", { name: "Done" }).click();
  const command = await step("Connect a tool").locator("code").textContent();
  expect(command).toBe('claude -p "Say hello"');
  done("tool");

  const bin = claudeCode();
  if (bin === null) {
    process.stderr.write("NOT TRIED: Claude Code itself. Put it on the PATH, or name it with CLAUDE_BIN.\n");
  } else {
    // A key of a vendor in the shell is what most people have there.
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, ANTHROPIC_API_KEY: "sk-ant-of-the-shell" };
    const asked = promisify(execFile)(bin, ["-p", "Say hello"], { cwd: home, env, timeout: MOST_MS });
    asked.child.stdin?.end();
    const { stdout } = await asked;
    expect(stdout.trim()).not.toBe("");
    done("answer");
    await page.getByRole("row").filter({ hasText: "claude-cli" }).first().waitFor();
  }
  process.stderr.write(`From the start to the answer: ${steps.join(", ")}.\n`);
  expect(performance.now() - begun).toBeLessThan(MOST_MS);
  await closeAll(opened);
});
