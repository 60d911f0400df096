import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startGateway, type RunningGateway } from "./gateway.ts";

/** A Postern for the pictures of the clients' page: Claude Code connected and tried, Codex found, in an empty home. */
export async function startWithClients(): Promise<{ readonly gateway: RunningGateway; stop(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), "ada-"));
  await mkdir(join(home, ".claude"));
  await mkdir(join(home, ".codex"));
  await writeFile(join(home, ".claude/settings.json"), '{\n  "theme": "dark"\n}\n');
  await writeFile(
    join(home, ".codex/config.toml"),
    '# mine\nmodel = "gpt-5.5"\napproval_policy = "on-request"\n\n[tui]\nnotifications = true\n',
  );
  const gateway = await startGateway({ HOME: home, XDG_CONFIG_HOME: "", CLAUDE_CONFIG_DIR: "", CODEX_HOME: "" });
  return {
    gateway,
    async stop() {
      await gateway.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The cards, and the change of a file before it is written. */
export async function shootClients(
  page: Page,
  gateway: RunningGateway,
  save: (name: string) => Promise<void>,
): Promise<void> {
  await page.goto(await gateway.freshAddress());
  await page.goto(`${gateway.url}/#/clients`);
  const claude = page.getByRole("region", { name: "Claude Code", exact: true });
  await claude.waitFor();
  const connect = page.getByRole("button", { name: "Connect Claude Code", exact: true });
  if ((await connect.count()) > 0) {
    await connect.click();
    await page.getByRole("button", { name: "Write it" }).click();
    await page
      .getByRole("dialog")
      .getByText(/^Tools \(MCP\): Works/)
      .waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await claude.getByText("Connected", { exact: true }).waitFor();
  await save("clients");
  await page.getByRole("button", { name: "Connect Codex", exact: true }).click();
  await page.getByRole("dialog").getByText("experimental_bearer_token").waitFor();
  await save("clients-change");
  await page.keyboard.press("Escape");
}
