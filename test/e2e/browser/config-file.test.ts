import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeEach, expect, it } from "vitest";
import { axeFindings } from "./browser.ts";
import { startLocalProvider, type LocalProvider } from "./local-provider.ts";
import { useGatewayPages } from "./page-suite.ts";
import { startGateway } from "./gateway.ts";

/** The configuration as a file, out of a real Postern and back into it. */
const GOOD = "sk-good-0123456789abcdef";
const REFUSED = "sk-refused-0123456789abcdef";
const PASSPHRASE = "correct horse";

let provider: LocalProvider;
let page: Page;
const pages = useGatewayPages(async () => {
  provider = await startLocalProvider(["tiny-one"]);
  provider.accepted.add(GOOD);
  return startGateway();
});
afterAll(() => provider.close());
beforeEach(async () => {
  page = await pages.open("settings?section=data");
});

const panel = (): Locator => page.getByRole("region", { name: "Configuration file" });
const dialog = (): Locator => page.getByRole("dialog");
const press = (name: string): Promise<void> => dialog().getByRole("button", { name, exact: true }).last().click();

async function choose(text: string, name = "postern.yaml"): Promise<void> {
  const file = { name, mimeType: "application/yaml", buffer: Buffer.from(text) };
  await page.getByLabel("Configuration file to import").setInputFiles(file);
}

const config = (): string => `
connections:
  - { name: House, provider: openai-compatible, base_url: "${provider.baseUrl}", keys: ["${GOOD}", "${REFUSED}"] }
keys: [{ name: from the file }]
aliases: { quick: tiny-one }
`;

it("shows what a file would change, takes what works, and undoes it", async () => {
  await choose(config());
  await dialog().getByText("House", { exact: true }).waitFor();
  await dialog().getByText("sk-go…cdef, sk-re…cdef").waitFor();
  expect(await page.content()).not.toMatch(/0123456789abcdef/);
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await press("Import");
  await dialog().getByText("Imported: 3 changes").waitFor();
  await dialog().getByText("Not saved", { exact: true }).waitFor();
  expect(await dialog().locator("[data-secret]").textContent()).toMatch(/^sk-\w{48}$/);
  await press("Close");

  const undo = panel().getByRole("button", { name: /^Undo: Configuration file/ });
  await undo.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await undo.click();
  await dialog().getByText("Removed", { exact: true }).first().waitFor();
  await press("Undo");
  await undo.waitFor({ state: "detached" });
});

it("hands out a file whose secrets only the passphrase opens", async () => {
  await choose(config());
  await dialog().getByText("House", { exact: true }).waitFor();
  await press("Import");
  await dialog()
    .getByText(/^Imported/)
    .waitFor();
  await press("Close");

  await panel().getByRole("button", { name: "Export" }).click();
  await dialog().getByText("Encrypt", { exact: true }).click();
  await press("Download");
  await dialog().getByText("Type a passphrase.").waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await dialog().getByLabel("Passphrase").fill(PASSPHRASE);
  await press("Download");
  await page
    .getByText(/Provider keys leave Postern only with/)
    .first()
    .waitFor();
  await dialog()
    .getByLabel("Your consent")
    .fill(await pages.gateway.freshAddress());
  const [saved] = await Promise.all([page.waitForEvent("download"), press("Download")]);
  expect(saved.suggestedFilename()).toBe("postern.yaml");
  const text = await readFile(await saved.path(), "utf8");
  expect(text).toContain("name: House");
  expect(text).not.toContain("0123456789abcdef");

  await panel()
    .getByRole("button", { name: /^Keep, no undo/ })
    .click();
  await choose(text);
  await dialog().getByLabel("Passphrase").fill("wrong");
  await press("Open");
  await dialog().getByText("The passphrase does not open the file's 'secrets'.").waitFor();
  await dialog().getByLabel("Passphrase").fill(PASSPHRASE);
  await press("Open");
  await dialog().getByText("Nothing changes: everything is here already.").waitFor();
  expect(await dialog().getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
  await press("Cancel");
});

it("says what is wrong with a file, and where", async () => {
  await choose("settings:\n  backup_keep: many\n");
  await dialog()
    .getByText(/^Line 2: settings\.backup_keep/)
    .waitFor();
  await press("Cancel");
  await choose("aliases: { a: tiny-one }\nroutes: [{ name: a, models: [tiny-one] }]\n");
  await dialog()
    .getByText(/Route “a”: "a" is a name of your own/)
    .waitFor();
  expect(await dialog().getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
  await press("Cancel");
});
